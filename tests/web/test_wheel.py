"""What the page needs beside its code is in the wheel: the documentation pages of the gallery and the tree's canvas."""

from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

from kingmaker.games import GAMES
from kingmaker.search import ALGORITHMS
from kingmaker.web import gallery

ROOT = Path(__file__).parents[2]


def test_the_wheel_has_the_pages_of_all_games_and_algorithms():
    packed = {each.distribution_path: Path(each.path) for each in WheelBuilder(str(ROOT)).recurse_included_files()}
    for kind, names in (("games", GAMES), ("algorithms", ALGORITHMS)):
        for name in names:
            assert packed[f"kingmaker/docs/{kind}/{name}.md"] == ROOT / "docs" / kind / f"{name}.md"
    assert "kingmaker/web/tree_canvas.js" in packed
    assert "kingmaker/web/server.py" in packed
    assert all(path.startswith("kingmaker/") for path in packed)


def test_without_its_pages_the_gallery_shows_what_the_file_says_of_itself(monkeypatch, tmp_path):
    assert gallery.page_of("games", "hearts").startswith("# Hearts")
    monkeypatch.setattr(gallery, "DOCS", tmp_path)
    assert "pact" in gallery.page_of("algorithms", "paranoid")
    assert gallery.page_of("games", "hearts").startswith("```")
