"""`kingmaker serve`."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

from kingmaker.core.errors import KingmakerError

pytest.importorskip("nicegui")


@pytest.fixture
def served(monkeypatch):
    """Calls of the server, which does not start."""
    calls = []
    monkeypatch.setattr(import_module("kingmaker.web.server"), "serve", lambda *arguments: calls.append(arguments))
    return calls


def test_the_page_is_served_to_this_machine_alone(run, served):
    ran = run("serve", "--port", "9000")
    assert served == [((), (), "127.0.0.1", 9000, False, None)]
    assert ran.out == "the page is at http://127.0.0.1:9000\n"
    assert ran.err == ""


def test_who_lets_others_in_is_told_what_that_means(run, served):
    ran = run("serve", "--host", "0.0.0.0", "--game", "my_game.py", "--store", "a.db")
    assert served == [(("my_game.py",), (Path("a.db"),), "0.0.0.0", 8080, False, None)]
    assert "listening on 0.0.0.0: whoever reaches this machine on port 8080 can play and search here" in ran.err
    assert "no passwords and no encryption" in ran.err


def test_a_store_that_is_not_there_is_refused(tmp_path):
    named = import_module("kingmaker.web.server").named
    with pytest.raises(KingmakerError, match="; run an experiment first"):
        named([tmp_path / "none.db"])
    (tmp_path / "some.db").touch()
    assert named([tmp_path / "some.db"]) == {"some": tmp_path / "some.db"}


def test_a_folder_of_papers_that_is_not_there_is_refused(tmp_path):
    serve = import_module("kingmaker.web.server").serve
    with pytest.raises(KingmakerError, match=r"there is no folder '.*none' of repeated papers; kingmaker paper all"):
        serve(papers=tmp_path / "none")


def test_a_port_that_is_none_is_refused(run, served):
    ran = run("serve", "--port", "70000")
    assert (ran.code, ran.err) == (2, "kingmaker: expected a port from 1 to 65535, got --port 70000\n")
    assert served == []


def test_without_nicegui_the_way_out_is_told(run, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("kingmaker.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "nicegui", None)
    ran = run("serve")
    assert ran.code == 2
    assert "kingmaker: the page needs NiceGUI (" in ran.err
    assert "install it with pip install 'kingmaker[web]'" in ran.err
