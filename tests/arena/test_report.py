"""The report is one file that needs nothing else; needs the extra `report`."""

import re
import sys

import pytest

from kingmaker.arena.report import write_report
from kingmaker.arena.store import StoreFault, open_store
from kingmaker.core.errors import BadParameter
from tests.arena.test_standings import SWEPT, filled


def test_a_report_is_one_file_without_addresses_and_pictures_beside_it(tmp_path, written):
    filled(tmp_path / "s.db", written(SWEPT))
    with open_store(tmp_path / "s.db") as store:
        paths = write_report(store, tmp_path / "r.html")
    names = {path.name for path in paths}
    assert {"r.html", "r-share.png", "r-share.svg", "r-rating.png", "r-sweep-d.svg", "r-seats.png"} <= names
    page = (tmp_path / "r.html").read_text()
    assert page.count("<svg") == 4
    assert not re.search(r"(src|href)=\"http", page)
    assert "Does looking ahead help at sticks?" in page
    assert (tmp_path / "r-share.png").read_bytes().startswith(b"\x89PNG")


def test_a_place_that_cannot_be_written_is_told(tmp_path, written):
    filled(tmp_path / "s.db", written(SWEPT))
    with (
        open_store(tmp_path / "s.db") as store,
        pytest.raises(StoreFault, match=r"cannot write the report to .*; name another place with --to"),
    ):
        write_report(store, tmp_path / "none" / "r.html")


def test_without_the_extra_the_report_says_what_to_install(tmp_path, written, monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    filled(tmp_path / "s.db", written(SWEPT))
    with (
        open_store(tmp_path / "s.db") as store,
        pytest.raises(BadParameter, match=r"a report needs altair and vl-convert-python; install kingmaker\[report\]"),
    ):
        write_report(store, tmp_path / "r.html")
