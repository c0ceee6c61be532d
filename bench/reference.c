/* The measure of speed: MaxN, Multi-Minimax and alpha-beta Paranoid and Best Reply on Light Bike, as one would write them in C.
 *
 * The same rules, estimate (Survival), tie rule and record layout as Kingmaker's, and the same work at a node: count it, look at the node
 * limit and the stop flag, copy the state down, hand up a vector a seat and the line of moves expected. So the node counts, the moves and
 * the values are equal, and only the time differs. Seats and board are constants of the compilation, as they are in Kingmaker:
 *
 *     gcc -O3 -march=native -DSEATS=3 -DWIDTH=12 -DHEIGHT=12 reference.c -o reference
 *     ./reference maxn 12 3 "0,0;0,11;11,0" NESW
 *
 * searches 1, 2, ... 12 plies deep, three times over, after the moves N, E, S and W from the start; it prints the nodes of one such search,
 * the seconds of the fastest, the move and the values. -DBARE leaves out the line, the root values, the node limit and the stop flag.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef SEATS
#define SEATS 3
#endif
#ifndef WIDTH
#define WIDTH 12
#endif
#ifndef HEIGHT
#define HEIGHT 12
#endif

#define PLIES 64
#define MOVES 4
#define REPLIES ((SEATS - 1) * MOVES)
#define NOBODY -1
#define LONGEST (WIDTH * HEIGHT + SEATS)
#define NO_LIMIT ((int64_t)1 << 62)

#if WIDTH + 2 <= 16
typedef uint16_t row_t;
#elif WIDTH + 2 <= 32
typedef uint32_t row_t;
#else
typedef uint64_t row_t;
#endif

typedef struct {
    row_t walls[HEIGHT + 2]; /* bit c of row r: the cell is taken; a border all around */
    int8_t rows[SEATS], columns[SEATS];
    uint8_t alive, last; /* one bit a seat */
    int8_t left, seat;
    int16_t age;
} state_t;

typedef struct {
    int64_t nodes, limit, stop, beyond, root, tried;
    int32_t moves[PLIES][REPLIES];
    int16_t repliers[PLIES][REPLIES];
    double values[PLIES][SEATS];
    int32_t lengths[PLIES], lines[PLIES][PLIES];
    double root_values[MOVES][SEATS];
    int8_t root_exact[MOVES];
    double worst_values[SEATS];
    int32_t worst_length, worst_line[PLIES];
    state_t states[PLIES];
} work_t;

static const int DOWN[MOVES] = {-1, 0, 1, 0}, RIGHT[MOVES] = {0, 1, 0, -1};
static const char WAYS[] = "NESW";

/* Light Bike */

static bool is_free(const state_t *state, int row, int column) { return !(state->walls[row] >> column & 1); }

static bool lives(const state_t *state, int seat) { return state->alive >> seat & 1; }

static bool stuck(const state_t *state, int seat) {
    for (int way = 0; way < MOVES; way++)
        if (is_free(state, state->rows[seat] + DOWN[way], state->columns[seat] + RIGHT[way])) return false;
    return true;
}

static int list_moves(const state_t *state, int seat, int32_t *out) {
    int count = 0;
    for (int way = 0; way < MOVES; way++)
        if (is_free(state, state->rows[seat] + DOWN[way], state->columns[seat] + RIGHT[way])) out[count++] = way;
    if (count == 0) out[count++] = 0;
    return count;
}

static void occupy(state_t *state, int seat, int row, int column) {
    state->rows[seat] = row;
    state->columns[seat] = column;
    state->walls[row] |= (row_t)1 << column;
}

static void turn_to(state_t *state, int seat) {
    for (int ahead = 0; ahead < SEATS; ahead++) {
        int next = seat + ahead;
        if (next >= SEATS) next -= SEATS;
        if (lives(state, next)) {
            state->seat = next;
            return;
        }
    }
}

static void play(state_t *state, int seat, int move) {
    int row = state->rows[seat] + DOWN[move], column = state->columns[seat] + RIGHT[move];
    if (is_free(state, row, column)) {
        occupy(state, seat, row, column);
        state->age++;
    } else {
        state->alive ^= 1 << seat;
        state->left--;
        state->last = state->alive;
    }
    turn_to(state, seat + 1);
}

/* Survival: everything to the only rider who can still move, else how long the ride has lasted */

static void estimate(const state_t *state, double *out) {
    int only = -1;
    for (int seat = 0; seat < SEATS; seat++)
        if (lives(state, seat) && !stuck(state, seat)) only = only == -1 ? seat : -2;
    for (int seat = 0; seat < SEATS; seat++) out[seat] = (double)state->age / LONGEST;
    if (only >= 0) out[only] = 1.0;
}

/* In a duel everything goes to the one of the two who can still move */
static void estimate_against(const state_t *state, int seat, int opponent, double *out) {
    for (int each = 0; each < SEATS; each++) out[each] = (double)state->age / LONGEST;
    bool mine = lives(state, seat) && !stuck(state, seat);
    bool theirs = opponent != NOBODY && lives(state, opponent) && !stuck(state, opponent);
    if (mine && !theirs) out[seat] = 1.0;
    if (theirs && !mine) out[opponent] = 1.0;
}

static void final_value(const state_t *state, double *out) {
    estimate(state, out);
    for (int seat = 0; seat < SEATS; seat++)
        if (state->left == 1 && lives(state, seat)) out[seat] = 1.0;
}

static bool enough(const state_t *state, int seat) { return !lives(state, seat) || stuck(state, seat); }

/* What all searches do at a node */

static void count(work_t *work, int ply) {
    work->nodes++;
#ifndef BARE
    work->lengths[ply] = 0;
    if (work->nodes >= work->limit) work->stop = 1;
#else
    (void)ply;
#endif
}

static bool settled(work_t *work, int ply, int depth) {
    const state_t *state = &work->states[ply];
    count(work, ply);
    if (state->left <= 1) {
        final_value(state, work->values[ply]);
        return true;
    }
    if (depth <= 0 || enough(state, work->root)) {
        work->beyond = 1;
        estimate(state, work->values[ply]);
        return true;
    }
    return work->stop != 0;
}

static void enter(work_t *work, int ply, int seat, int i) {
    work->states[ply + 1] = work->states[ply];
    play(&work->states[ply + 1], seat, work->moves[ply][i]);
}

static void leave(work_t *work, int ply, int i, bool exact) {
#ifndef BARE
    if (ply == 0) {
        memcpy(work->root_values[i], work->values[1], sizeof work->values[1]);
        work->root_exact[i] = exact;
        work->tried = i + 1;
    }
#else
    (void)work, (void)ply, (void)i, (void)exact;
#endif
}

static void keep(work_t *work, int ply, int i) {
    memcpy(work->values[ply], work->values[ply + 1], sizeof work->values[ply]);
    work->lines[ply][0] = work->moves[ply][i];
#ifndef BARE
    int length = work->lengths[ply + 1];
    for (int j = 0; j < length; j++) work->lines[ply][j + 1] = work->lines[ply + 1][j];
    work->lengths[ply] = length + 1;
#endif
}

static void maxn(work_t *work, int ply, int depth) {
    if (settled(work, ply, depth)) return;
    int seat = work->states[ply].seat;
    int count = list_moves(&work->states[ply], seat, work->moves[ply]);
    for (int i = 0; i < count; i++) {
        enter(work, ply, seat, i);
        maxn(work, ply + 1, depth - 1);
#ifndef BARE
        if (work->stop) return;
#endif
        leave(work, ply, i, true);
        if (i == 0 || work->values[ply + 1][seat] > work->values[ply][seat]) keep(work, ply, i);
    }
}

static double paranoid(work_t *work, int ply, int depth, double alpha, double beta) {
    int me = work->root;
    if (settled(work, ply, depth)) return work->values[ply][me];
    int seat = work->states[ply].seat;
    int count = list_moves(&work->states[ply], seat, work->moves[ply]);
    double best = 0.0;
    for (int i = 0; i < count; i++) {
        enter(work, ply, seat, i);
        double value = paranoid(work, ply + 1, depth - 1, alpha, beta);
#ifndef BARE
        if (work->stop) return 0.0;
#endif
        leave(work, ply, i, alpha < value && value < beta);
        if (i == 0 || (seat == me ? value > best : value < best)) {
            best = value;
            keep(work, ply, i);
        }
        if (seat == me) {
            if (best > alpha) alpha = best;
        } else {
            if (best < beta) beta = best;
        }
        if (alpha >= beta) break;
    }
    return best;
}

/* Best Reply: list the moves of every opponent and whose they are */

static int list_replies(work_t *work, int ply) {
    const state_t *state = &work->states[ply];
    int count = 0;
    for (int seat = 0; seat < SEATS; seat++) {
        if (seat == work->root || !lives(state, seat)) continue;
        int end = count + list_moves(state, seat, work->moves[ply] + count);
        while (count < end) work->repliers[ply][count++] = seat;
    }
    return count;
}

static double best_reply(work_t *work, int ply, int depth, bool mine, double alpha, double beta) {
    int me = work->root;
    if (settled(work, ply, depth)) return work->values[ply][me];
    int count = mine ? list_moves(&work->states[ply], me, work->moves[ply]) : list_replies(work, ply);
    double best = 0.0;
    for (int i = 0; i < count; i++) {
        enter(work, ply, mine ? me : work->repliers[ply][i], i);
        double value = best_reply(work, ply + 1, depth - 1, !mine, alpha, beta);
#ifndef BARE
        if (work->stop) return 0.0;
#endif
        leave(work, ply, i, alpha < value && value < beta);
        if (i == 0 || (mine ? value > best : value < best)) {
            best = value;
            keep(work, ply, i);
        }
        if (mine) {
            if (best > alpha) alpha = best;
        } else {
            if (best < beta) beta = best;
        }
        if (alpha >= beta) break;
    }
    return best;
}

/* Multi-Minimax: after every root move a duel with each opponent; the worst one counts */

static bool duel_settled(work_t *work, int ply, int depth, int opponent) {
    const state_t *state = &work->states[ply];
    count(work, ply);
    if (state->left <= 1) {
        final_value(state, work->values[ply]);
        return true;
    }
    if (opponent == NOBODY || !lives(state, opponent) || depth <= 0 || enough(state, work->root)) {
        work->beyond = 1;
        estimate_against(state, work->root, opponent, work->values[ply]);
        return true;
    }
    return work->stop != 0;
}

static double duel(work_t *work, int ply, int depth, int opponent, bool mine, double alpha, double beta) {
    int me = work->root;
    if (duel_settled(work, ply, depth, opponent)) return work->values[ply][me];
    int seat = mine ? me : opponent;
    int count = list_moves(&work->states[ply], seat, work->moves[ply]);
    double best = 0.0;
    for (int i = 0; i < count; i++) {
        enter(work, ply, seat, i);
        double value = duel(work, ply + 1, depth - 1, opponent, !mine, alpha, beta);
#ifndef BARE
        if (work->stop) return 0.0;
#endif
        if (i == 0 || (mine ? value > best : value < best)) {
            best = value;
            keep(work, ply, i);
        }
        if (mine) {
            if (best > alpha) alpha = best;
        } else {
            if (best < beta) beta = best;
        }
        if (alpha >= beta) break;
    }
    return best;
}

static int next_opponent(const work_t *work, int after) {
    for (int seat = after + 1; seat < SEATS; seat++)
        if (seat != work->root && lives(&work->states[1], seat)) return seat;
    return after < 0 ? NOBODY : SEATS;
}

static void put_by(work_t *work) {
    memcpy(work->worst_values, work->values[1], sizeof work->worst_values);
#ifndef BARE
    work->worst_length = work->lengths[1];
    memcpy(work->worst_line, work->lines[1], work->worst_length * sizeof *work->worst_line);
#endif
}

static void take_back(work_t *work) {
    memcpy(work->values[1], work->worst_values, sizeof work->worst_values);
#ifndef BARE
    work->lengths[1] = work->worst_length;
    memcpy(work->lines[1], work->worst_line, work->worst_length * sizeof *work->worst_line);
#endif
}

static void multi_minimax(work_t *work, int depth) {
    int me = work->root;
    if (settled(work, 0, depth)) return;
    int count = list_moves(&work->states[0], me, work->moves[0]);
    double alpha = -INFINITY;
    for (int i = 0; i < count; i++) {
        enter(work, 0, me, i);
        double worst = INFINITY;
        int opponent = next_opponent(work, NOBODY);
        do {
            double value = duel(work, 1, depth - 1, opponent, false, alpha, worst);
#ifndef BARE
            if (work->stop) return;
#endif
            if (value < worst) {
                worst = value;
                put_by(work);
            }
            if (alpha >= worst || opponent == NOBODY) break;
            opponent = next_opponent(work, opponent);
        } while (opponent < SEATS);
        take_back(work);
        leave(work, 0, i, alpha < worst);
        if (i == 0 || worst > alpha) {
            alpha = worst;
            keep(work, 0, i);
        }
    }
}

/* The command line */

static void from_maxn(work_t *work, int depth) { maxn(work, 0, depth); }

static void from_paranoid(work_t *work, int depth) { paranoid(work, 0, depth, -INFINITY, INFINITY); }

static void from_best_reply(work_t *work, int depth) { best_reply(work, 0, depth, true, -INFINITY, INFINITY); }

static const struct {
    const char *name;
    void (*from)(work_t *work, int depth);
} SEARCHES[] = {{"maxn", from_maxn}, {"paranoid", from_paranoid}, {"best_reply", from_best_reply}, {"multi_minimax", multi_minimax}};

static int search_named(const char *name) {
    int i = sizeof SEARCHES / sizeof *SEARCHES - 1;
    while (i >= 0 && strcmp(SEARCHES[i].name, name)) i--;
    return i;
}

static bool place(state_t *state, const char *heads) {
    for (int row = 1; row <= HEIGHT; row++) state->walls[row] = (row_t)1 | (row_t)1 << (WIDTH + 1);
    state->walls[0] = state->walls[HEIGHT + 1] = (row_t)(((uint64_t)1 << (WIDTH + 2)) - 1);
    for (int seat = 0; seat < SEATS; seat++) {
        int row, column, used;
        if (sscanf(heads, "%d,%d%n", &row, &column, &used) != 2) return false;
        if (row < 0 || row >= HEIGHT || column < 0 || column >= WIDTH) return false;
        occupy(state, seat, row + 1, column + 1);
        heads += used;
        if (*heads == ';') heads++;
    }
    state->alive = state->last = (1 << SEATS) - 1;
    state->left = SEATS;
    return *heads == '\0';
}

static bool advance(state_t *state, const char *moves) {
    for (; *moves; moves++) {
        const char *way = strchr(WAYS, *moves);
        if (!way || state->left <= 1) return false;
        play(state, state->seat, way - WAYS);
    }
    return state->left > 1;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static double deepen(work_t *work, int search, int deepest) {
    double started = now();
    work->nodes = 0;
    for (int depth = 1; depth <= deepest; depth++) {
        work->beyond = work->tried = 0;
        SEARCHES[search].from(work, depth);
        if (work->stop || !work->beyond) break;
    }
    return now() - started;
}

int main(int count, char **arguments) {
    static work_t work = {.limit = NO_LIMIT};
    int search = count > 1 ? search_named(arguments[1]) : -1;
    int depth = count > 2 ? atoi(arguments[2]) : 0, repeats = count > 3 ? atoi(arguments[3]) : 0;
    if (count < 5 || count > 6 || search < 0 || depth < 1 || depth > PLIES - 2 || repeats < 1 ||
        !place(&work.states[0], arguments[4]) || (count == 6 && !advance(&work.states[0], arguments[5]))) {
        fprintf(stderr, "usage: reference maxn|paranoid|best_reply|multi_minimax DEPTH REPEATS \"ROW,COLUMN;...\" [MOVES]\n");
        return 2;
    }
    work.root = work.states[0].seat;
    double fastest = 1e300;
    for (int i = 0; i < repeats; i++) {
        double seconds = deepen(&work, search, depth);
        if (seconds < fastest) fastest = seconds;
    }
    printf("%lld %.9f %d", (long long)work.nodes, fastest, work.lines[0][0]);
    for (int seat = 0; seat < SEATS; seat++) printf(" %.17g", work.values[0][seat]);
    printf("\n");
    return 0;
}
