// A search tree on a canvas: drag to move, wheel or two fingers to zoom, click a node to open or close it.
// Children are asked of the server when a node is opened for the first time; it answers with put().
// A row is [number, parent, seat, move, values, flags, visits, bound]; the flags are those of grown.py.

const [LINE, CUT, TIED, INNER] = [1, 2, 4, 8];
const [LEVEL, RADIUS, BATCH] = [92, 16, 128]; // strokes of many lines at once are slow
const ALONG = 0.36; // of an edge, from the node upwards: where the word of a move stands
const READABLE = 0.42; // below this scale no words are written
const [CHANCE, OVER] = [-1, -2];

export default {
  template: `<canvas class="km-canvas" tabindex="0" role="application" :aria-label="label"></canvas>`,
  props: { rows: Array, open: Array, first: Number, label: String, palette: Object },
  emits: ["turned", "chosen"],

  mounted() {
    this.nodes = new Map();
    this.opened = new Set();
    this.pointers = new Map();
    this.view = { x: 0, y: 0, scale: 1 };
    this.chosen = this.first || 0;
    this.watching = [new ResizeObserver(() => this.resized()), new MutationObserver(() => this.draw())];
    this.watching[0].observe(this.$el);
    this.watching[1].observe(document.body, { attributes: true, attributeFilter: ["class"] });
    const on = (name, act, options) => this.$el.addEventListener(name, act, options);
    on("wheel", (e) => (e.preventDefault(), this.zoom(Math.exp(-e.deltaY / 400), e.offsetX, e.offsetY)), { passive: false });
    on("pointerdown", (e) => this.down(e));
    on("pointermove", (e) => this.move(e));
    on("pointerup", (e) => this.up(e));
    on("pointercancel", (e) => this.pointers.delete(e.pointerId));
    on("keydown", (e) => this.key(e));
    this.put(this.rows, this.open, true);
  },
  unmounted() {
    this.watching.forEach((each) => each.disconnect());
  },

  methods: {
    put(rows, open, fit) {
      // Add rows; `open` replaces the set of open ones, and `fit` shows the whole tree.
      const began = performance.now();
      for (const [row, parent, seat, word, values, flags, visits, bound] of rows) {
        if (this.nodes.has(row)) continue;
        this.nodes.set(row, { row, parent, seat, word, values, flags, visits, bound, below: [] });
        if (this.nodes.has(parent)) this.nodes.get(parent).below.push(row);
      }
      if (open) this.opened = new Set(open);
      const anchor = this.place(this.chosen);
      this.lay();
      if (fit) this.fit();
      else this.keep(anchor);
      this.draw();
      this.$el.dataset.milliseconds = (performance.now() - began).toFixed(1);
    },
    lay() {
      // Leaves in a row, every node over the middle of its children.
      const most = { values: 5, word: 1, level: 1 };
      this.shown = [];
      const stack = [[0, 0]];
      while (stack.length) {
        const [row, level] = stack.pop();
        const node = this.nodes.get(row);
        if (!node) continue;
        node.level = level;
        node.under = this.opened.has(row) ? node.below : [];
        this.shown.push(node);
        most.values = Math.max(most.values, this.values(node).length);
        most.word = Math.max(most.word, node.word.length);
        most.level = Math.max(most.level, level);
        for (let i = node.under.length - 1; i >= 0; i--) stack.push([node.under[i], level + 1]);
      }
      // A word stands beside its edge, where the edges of neighbours are closer than their nodes.
      this.gap = Math.max(56, 7 * Math.min(most.values, 30) + 10, (7 * Math.min(most.word, 24) + 8) / (1 - ALONG));
      let leaves = 0;
      for (const node of this.shown) {
        if (!node.under.length) node.x = this.gap * leaves++;
      }
      for (let i = this.shown.length - 1; i >= 0; i--) {
        const node = this.shown[i];
        const ends = [node.under[0], node.under[node.under.length - 1]];
        if (node.under.length) node.x = (this.nodes.get(ends[0]).x + this.nodes.get(ends[1]).x) / 2;
      }
      this.size = { width: this.gap * Math.max(1, leaves), levels: most.level };
      this.$el.dataset.nodes = this.shown.length;
    },
    step(scale = this.view.scale) {
      // Pixels between two plies: a wide tree seen from afar still fills the canvas from top to bottom.
      const room = (this.$el.getBoundingClientRect().height - 90) / Math.max(1, this.size ? this.size.levels : 1);
      return Math.max(LEVEL * scale, Math.min(room, 0.8 * LEVEL));
    },
    at(node) {
      return [node.x * this.view.scale + this.view.x, node.level * this.step() + this.view.y];
    },
    place(row) {
      const node = this.nodes.get(row);
      return node && node.x !== undefined ? { row, spot: this.at(node) } : null;
    },
    keep(anchor) {
      // What is looked at stays where it is on the screen.
      const node = anchor && this.nodes.get(anchor.row);
      if (node) {
        const [x, y] = this.at(node);
        this.view.x += anchor.spot[0] - x;
        this.view.y += anchor.spot[1] - y;
      }
    },
    fit() {
      const { width, height } = this.$el.getBoundingClientRect();
      const scale = Math.min(1.15, width / (this.size.width + 30), height / (LEVEL * (this.size.levels + 1) + 20));
      const wide = Math.min(1.15, width / (this.size.width + 30));
      this.view.scale = this.size.levels * this.step(wide) + 90 <= height ? wide : Math.min(scale, wide);
      this.view.x = (width - this.view.scale * (this.size.width - this.gap)) / 2;
      this.view.y = 50;
    },
    whole() {
      this.fit();
      this.draw();
    },
    zoom(by, x, y) {
      const { width, height } = this.$el.getBoundingClientRect();
      [x, y] = [x ?? width / 2, y ?? height / 2];
      const scale = Math.min(4, Math.max(0.002, this.view.scale * by));
      const [ratio, rise] = [scale / this.view.scale, this.step(scale) / this.step()];
      this.view = { scale, x: x - (x - this.view.x) * ratio, y: y - (y - this.view.y) * rise };
      this.touched = true;
      this.draw();
    },
    resized() {
      const { width, height } = this.$el.getBoundingClientRect();
      const dense = window.devicePixelRatio || 1;
      if (this.$el.width === Math.round(width * dense) && this.$el.height === Math.round(height * dense)) return;
      [this.$el.width, this.$el.height] = [Math.round(width * dense), Math.round(height * dense)];
      if (!this.touched) this.fit();
      this.draw();
    },

    values(node) {
      const told = node.values.map((value) => (value === null ? "–" : String(value))).join(" ");
      const visits = node.visits ? ` · ${node.visits}×` : "";
      return told + visits + (node.flags & CUT ? ` ✂ ${node.bound}` : "");
    },
    colours() {
      return this.palette[document.body.classList.contains("body--dark") ? "dark" : "light"];
    },
    draw() {
      const pen = this.$el.getContext("2d");
      const dense = window.devicePixelRatio || 1;
      const { x, y, scale } = this.view;
      const wide = this.$el.width / dense;
      const high = this.$el.height / dense;
      const colours = this.colours();
      pen.setTransform(dense, 0, 0, dense, 0, 0);
      pen.fillStyle = colours.paper;
      pen.fillRect(0, 0, wide, high);
      if (!this.shown) return;
      const step = this.step();
      for (const node of this.shown) [node.sx, node.sy] = [node.x * scale + x, node.level * step + y];
      const reach = this.gap * scale;
      const seen = this.shown.filter(
        (node) => node.sx > -reach && node.sx < wide + reach && node.sy > -LEVEL && node.sy < high + LEVEL,
      );
      this.edges(pen, colours, wide, high);
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      if (scale < READABLE) this.dots(pen, colours, seen);
      for (const node of scale < READABLE ? seen.filter((each) => each.row === this.chosen) : seen) {
        pen.setTransform(dense * scale, 0, 0, dense * scale, dense * node.sx, dense * node.sy);
        this.node(pen, colours, node);
      }
    },
    edges(pen, colours, wide, high) {
      const kinds = { plain: [], tied: [], line: [] };
      for (const node of this.shown) {
        if (node.sy > high) continue;
        for (const row of node.under) {
          const child = this.nodes.get(row);
          const [left, right] = node.sx < child.sx ? [node.sx, child.sx] : [child.sx, node.sx];
          if (right < 0 || left > wide || child.sy < 0) continue;
          kinds[child.flags & LINE ? "line" : child.flags & TIED ? "tied" : "plain"].push([node, child]);
        }
      }
      const far = this.view.scale < READABLE;
      for (const [kind, width, least, dash] of [
        ["plain", 1.3, 0.5, []],
        ["tied", 2.4, 1.2, [7, 5]],
        ["line", 4.5, 2, []],
      ]) {
        pen.setLineDash(far ? [] : dash);
        pen.strokeStyle = kind === "tied" ? colours.tied : colours[kind === "line" ? "ink" : "line"];
        pen.lineWidth = Math.max(width * this.view.scale, least);
        kinds[kind].forEach(([node, child], i) => {
          if (i % BATCH === 0) pen.beginPath();
          pen.moveTo(node.sx, node.sy);
          pen.lineTo(child.sx, child.sy);
          if (i % BATCH === BATCH - 1 || i === kinds[kind].length - 1) pen.stroke();
        });
      }
      pen.setLineDash([]);
    },
    dots(pen, colours, seen) {
      // From afar a node is a square in the colour of its seat.
      const side = Math.max(2 * RADIUS * this.view.scale, 2.2);
      const byColour = new Map();
      for (const node of seen) {
        const colour = node.seat >= 0 ? colours.seats[node.seat] : node.seat === CHANCE ? colours.tied : colours.line;
        if (!byColour.has(colour)) byColour.set(colour, []);
        byColour.get(colour).push(node);
      }
      for (const [colour, nodes] of byColour) {
        pen.fillStyle = colour;
        for (const node of nodes) pen.fillRect(node.sx - side / 2, node.sy - side / 2, side, side);
      }
    },
    node(pen, colours, node) {
      // Drawn around the origin, which lies at the node.
      const [x, y, seat] = [0, 0, node.seat];
      if (node.word) {
        const above = this.nodes.get(node.parent);
        const { scale } = this.view;
        const [wx, wy] = [((above.sx - node.sx) / scale) * ALONG, ((above.sy - node.sy) / scale) * 0.42];
        const wide = pen.measureText(node.word).width * 0.95 + 6;
        pen.fillStyle = colours.paper;
        pen.fillRect(wx - wide / 2, wy - 8, wide, 16);
        this.write(pen, node.word, wx, wy, node.flags & LINE ? colours.ink : colours.dim, "12px");
      }
      if (node.row === this.chosen) {
        pen.fillStyle = colours.mark;
        pen.beginPath();
        pen.arc(x, y, RADIUS + 6, 0, 7);
        pen.fill();
      }
      if (node.flags & CUT) this.shears(pen, colours);
      pen.beginPath();
      pen.strokeStyle = colours.line;
      pen.lineWidth = 1.5;
      if (seat === OVER) {
        pen.roundRect(x - this.gap / 2 + 3, y - 13, this.gap - 6, 26, 6);
        pen.fillStyle = colours.cell;
        pen.fill();
        pen.stroke();
        this.write(pen, this.values(node), x, y, colours.ink, "12px", this.gap - 8);
        return;
      }
      if (seat === CHANCE) {
        [[0, -20], [20, 0], [0, 20], [-20, 0]].forEach(([dx, dy], i) => pen[i ? "lineTo" : "moveTo"](x + dx, y + dy));
        pen.closePath();
        pen.fillStyle = colours.cell;
        pen.fill();
        pen.stroke();
        this.write(pen, "?", x, y, colours.ink, "bold 15px");
      } else {
        pen.arc(x, y, RADIUS, 0, 7);
        pen.fillStyle = colours.seats[seat];
        pen.fill();
        this.write(pen, String(seat), x, y + 1, colours.on, "bold 15px");
      }
      const said = this.values(node);
      pen.font = "12px system-ui, sans-serif";
      const wide = Math.min(pen.measureText(said).width, this.gap - 4) + 4;
      pen.fillStyle = colours.paper;
      pen.fillRect(x - wide / 2, y - 33, wide, 15);
      this.write(pen, said, x, y - 25, node.flags & LINE ? colours.ink : colours.dim, "12px", this.gap - 4);
      if (node.flags & INNER && !node.under.length) this.write(pen, "⋮", x, y + 26, colours.dim, "bold 17px");
    },
    shears(pen, colours) {
      // A branch that ends at a bar: moves that were not searched.
      pen.beginPath();
      pen.strokeStyle = colours.cut;
      pen.lineWidth = 2;
      pen.moveTo(0, 0);
      pen.lineTo(30, 32);
      pen.moveTo(23, 36);
      pen.lineTo(37, 28);
      pen.stroke();
    },
    write(pen, text, x, y, colour, size, most) {
      pen.font = `${size} system-ui, sans-serif`;
      pen.fillStyle = colour;
      pen.fillText(text, x, y, most);
    },

    hit(px, py) {
      const reach = Math.max((RADIUS + 8) * this.view.scale, 9);
      let best = null;
      for (const node of this.shown) {
        const far = Math.hypot(node.sx - px, node.sy - py);
        if (far <= reach && (!best || far < best.far)) best = { far, node };
      }
      return best && best.node;
    },
    down(e) {
      this.$el.setPointerCapture(e.pointerId);
      this.pointers.set(e.pointerId, [e.offsetX, e.offsetY]);
      this.dragged = 0;
    },
    move(e) {
      const before = this.pointers.get(e.pointerId);
      if (!before) return;
      const now = [e.offsetX, e.offsetY];
      const other = [...this.pointers].find(([id]) => id !== e.pointerId);
      this.pointers.set(e.pointerId, now);
      this.dragged += Math.hypot(now[0] - before[0], now[1] - before[1]);
      this.touched = true;
      if (other) {
        const apart = (point) => Math.max(1, Math.hypot(point[0] - other[1][0], point[1] - other[1][1]));
        this.zoom(apart(now) / apart(before), other[1][0], other[1][1]);
        return;
      }
      this.view.x += now[0] - before[0];
      this.view.y += now[1] - before[1];
      this.draw();
    },
    up(e) {
      if (!this.pointers.delete(e.pointerId) || this.dragged > 5) return;
      const node = this.hit(e.offsetX, e.offsetY);
      if (node) this.turn(node);
    },
    turn(node) {
      // Open or close a node, and look at it.
      this.choose(node);
      if (!(node.flags & INNER)) return;
      const anchor = this.place(node.row);
      if (!this.opened.delete(node.row)) this.opened.add(node.row);
      this.lay();
      this.keep(anchor);
      this.draw();
      this.$emit("turned", node.row);
    },
    choose(node) {
      this.chosen = node.row;
      this.draw();
      this.$emit("chosen", node.row);
    },
    key(e) {
      const node = this.nodes.get(this.chosen);
      if (!node) return;
      const above = this.nodes.get(node.parent);
      const beside = (by) => above && this.nodes.get(above.under[above.under.indexOf(node.row) + by]);
      const next = {
        ArrowUp: () => above,
        ArrowDown: () => this.nodes.get((node.under || [])[0]),
        ArrowLeft: () => beside(-1),
        ArrowRight: () => beside(1),
      }[e.key];
      const act = {
        Enter: () => this.turn(node),
        " ": () => this.turn(node),
        "+": () => this.zoom(1.3),
        "-": () => this.zoom(1 / 1.3),
        0: () => this.whole(),
      }[e.key];
      if (!next && !act) return;
      e.preventDefault();
      e.stopPropagation();
      if (act) act();
      const found = next && next();
      if (found) {
        this.show(found);
        this.choose(found);
      }
    },
    show(node) {
      // Move the view so that a node lies in it.
      const { width, height } = this.$el.getBoundingClientRect();
      const [px, py] = this.at(node);
      if (px < 20 || px > width - 20) this.view.x += width / 2 - px;
      if (py < 20 || py > height - 20) this.view.y += height / 2 - py;
    },
    spot(row) {
      // Where a node lies on the canvas, for tests and other tools.
      return this.at(this.nodes.get(row));
    },
  },
};
