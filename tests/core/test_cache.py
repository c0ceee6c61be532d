"""The compile cache: whole, private, and nothing that somebody else could have written is ever loaded."""

import os
import pickle
import pwd
import stat
import warnings
from pathlib import Path

import pytest
from numba.core.registry import cpu_target

from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.core.compiling import cache
from kingmaker.core.compiling.cache import CacheWarning, DiskCache, usable_folder
from kingmaker.core.compiling.entries import read_entry, write_entry
from tests.core.conftest import STICKS
from tests.core.test_compile import interpreted, run


class Planted:
    """Code that runs when its pickle is loaded."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return Path.touch, (self.mark,)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A cache of its own, from which a warning has not come yet."""
    found = tmp_path / "cache"
    monkeypatch.setenv("KINGMAKER_CACHE", str(found))
    monkeypatch.setattr(DiskCache, "complained", False)
    return found


@pytest.fixture
def other_user(monkeypatch):
    """From now on, what was written before belongs to somebody else."""
    own = os.geteuid()
    return lambda: monkeypatch.setattr(os, "geteuid", lambda: own + 1)


def warned(match):
    return pytest.warns(CacheWarning, match=match)


def test_the_folder_is_made_for_its_owner_alone(folder):
    before = os.umask(0)
    try:
        assert usable_folder() == folder
        write_entry(folder / "a.code", b"some code")
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "a.code").stat().st_mode) == 0o600
    assert read_entry(folder / "a.code") == b"some code"


def test_no_bit_of_an_entry_can_change_unnoticed(tmp_path):
    entry = tmp_path / "a.code"
    write_entry(entry, bytes(range(40)))
    good = entry.read_bytes()
    for bit in range(8 * len(good)):
        damaged = bytearray(good)
        damaged[bit // 8] ^= 1 << bit % 8
        entry.write_bytes(damaged)
        assert read_entry(entry) is None, bit
    for length in range(len(good)):
        entry.write_bytes(good[:length])
        assert read_entry(entry) is None, length
    entry.write_bytes(good + b"\0")
    assert read_entry(entry) is None
    entry.write_bytes(good)
    assert read_entry(entry) == bytes(range(40))


def test_an_entry_under_another_name_is_none(tmp_path):
    write_entry(tmp_path / "a.code", b"some code")
    (tmp_path / "a.code").rename(tmp_path / "b.code")
    assert read_entry(tmp_path / "b.code") is None


def flipped(file, bit):
    data = bytearray(file.read_bytes())
    data[bit // 8] ^= 1 << bit % 8
    file.write_bytes(data)


def test_damaged_machine_code_is_compiled_anew_and_replaced(decided_once):
    found, cache = decided_once
    files = sorted(cache.iterdir())
    good = [file.read_bytes() for file in files]
    for number, file in enumerate(files):
        flipped(file, int(8 * file.stat().st_size * (0.2, 0.9)[number % 2]))
    assert run(*STICKS, cache)[:3] == (*found[:2], 0)
    assert all(read_entry(file) is not None for file in files)
    for file, data in zip(files, good):
        file.write_bytes(data)
    assert run(*STICKS, cache)[:3] == (*found[:2], 1)


def test_many_flipped_bits_of_machine_code_never_reach_the_loader(folder):
    agent, game = load_agent("maxn(depth=3)"), load_game("sticks(sticks=5, seats=2)")
    agent.decide(game, game.new(), ask=Ask(compiled=True))
    [entry] = sorted(folder.iterdir(), key=lambda file: -file.stat().st_size)[:1]
    bits = 8 * entry.stat().st_size
    for bit in range(0, bits, bits // 499):
        flipped(entry, bit)
        assert read_entry(entry) is None
        flipped(entry, bit)
    assert read_entry(entry) is not None


def planted(folder, mark):
    """A cache in whose folder lies an entry, its checksum right, that leaves a mark when it is loaded."""
    folder.mkdir(mode=0o700, exist_ok=True)
    store = DiskCache("code")
    write_entry(folder / store.name("signature", cpu_target.target_context.codegen()), pickle.dumps(Planted(mark)))
    return store


def test_a_planted_pickle_would_run(folder, tmp_path):
    """The tests below would show nothing otherwise."""
    store = planted(folder, tmp_path / "mark")
    with pytest.raises(TypeError):
        store.load_overload("signature", cpu_target.target_context)
    assert (tmp_path / "mark").exists()


def test_a_folder_of_another_user_is_refused_with_a_way_out(folder, tmp_path, other_user):
    store = planted(folder, tmp_path / "mark")
    other_user()
    with warned(
        rf"compiled code in {folder} is not used, for it belongs to another "
        r"user, .*; set KINGMAKER_CACHE to a folder of your own"
    ):
        assert store.load_overload("signature", cpu_target.target_context) is None
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o1777])
def test_a_folder_that_others_may_write_to_is_refused_with_a_way_out(folder, tmp_path, mode):
    store = planted(folder, tmp_path / "mark")
    folder.chmod(mode)
    with warned(
        rf"compiled code in {folder} is not used, for others may write to "
        rf"it, .*; run chmod go-w {folder}, or set KINGMAKER"
    ):
        assert store.load_overload("signature", cpu_target.target_context) is None
    assert not (tmp_path / "mark").exists()


def test_a_link_to_a_folder_that_others_may_write_to_is_refused(folder, tmp_path):
    store = planted(tmp_path / "open", tmp_path / "mark")
    (tmp_path / "open").chmod(0o777)
    folder.symlink_to(tmp_path / "open")
    with warned("others may write to it"):
        assert store.load_overload("signature", cpu_target.target_context) is None
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_an_entry_that_others_may_write_to_is_none(folder, tmp_path, mode):
    store = planted(folder, tmp_path / "mark")
    for file in folder.iterdir():
        file.chmod(mode)
    assert store.load_overload("signature", cpu_target.target_context) is None
    assert not (tmp_path / "mark").exists()


def test_an_entry_of_another_user_or_behind_a_link_is_none(tmp_path, other_user):
    write_entry(tmp_path / "a.code", b"some code")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.code").symlink_to(tmp_path / "a.code")
    assert read_entry(tmp_path / "elsewhere" / "a.code") is None
    assert read_entry(tmp_path / "a.code") == b"some code"
    other_user()
    assert read_entry(tmp_path / "a.code") is None


def test_a_refused_folder_costs_time_and_one_warning_and_is_left_alone(tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    value, nodes, hits, told = run(*STICKS, shared, warn="default")
    assert (value, nodes, hits) == (*interpreted(*STICKS), 0)
    assert told.count("is not used, for others may write to it") == 1
    assert list(shared.iterdir()) == []


def test_no_home_folder_is_a_warning(monkeypatch):
    def nobody(_uid):
        raise KeyError

    for name in ("KINGMAKER_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    monkeypatch.setattr(DiskCache, "complained", False)
    with warned("there is no home folder for compiled code, .*; set KINGMAKER_CACHE to a folder that can be written"):
        assert usable_folder() is None
    with warnings.catch_warnings(action="error"):  # once is enough
        assert usable_folder() is None


def test_a_home_folder_that_cannot_be_made_is_a_warning(monkeypatch):
    for name in ("KINGMAKER_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/dev/null/nobody")
    monkeypatch.setattr(DiskCache, "complained", False)
    with warned("cannot write compiled code to /dev/null/nobody/.cache/kingmaker .Not a directory."):
        assert usable_folder() is None


def test_a_folder_that_can_only_be_read_is_still_read(folder, monkeypatch):
    def read_only(*_arguments, **_named):
        raise OSError("read-only file system")

    folder.mkdir(mode=0o700)
    write_entry(folder / "a.code", b"some code")
    monkeypatch.setattr(cache.os, "utime", read_only)
    assert read_entry(folder / "a.code") == b"some code"
