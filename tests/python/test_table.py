"""Tables: those of the program are read, whatever is in them, and damaged ones are refused."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pleiad


def test_the_diagnostics_of_a_run_are_read(tmp_path: Path, program: Callable[..., str]) -> None:
    pleiad.write(pleiad.models.plummer(64), tmp_path / "a.hdf5")
    program(
        "run",
        tmp_path / "a.hdf5",
        "--eps",
        0.05,
        "--dt",
        0.0625,
        "--t-end",
        1,
        "--output",
        tmp_path / "run",
        "--set",
        "output.pictures=false",
        "--set",
        "output.plots=false",
    )
    table = pleiad.read_table(tmp_path / "run")
    assert table.about["units"] == "nbody"
    assert table["time"][-1] == 1 and table["step"].dtype == np.int64 and table["step"][-1] == 16
    assert np.allclose(table["kinetic"] + table["potential"], table["total"], rtol=1e-8)
    accuracy = pleiad.read_table(tmp_path / "run" / "accuracy.txt")
    assert accuracy["kernel"][0].startswith("cpu/") and accuracy["p99"].dtype == np.float64


def test_the_tables_of_an_ensemble_are_read(tmp_path: Path, program: Callable[..., str]) -> None:
    (tmp_path / "a.toml").write_text(
        '[initial_conditions]\nmodel = "plummer"\nparameters = ["n=8"]\n[gravity]\nsoftening = 0.1\n'
        "[time]\ndt = 0.125\nt_end = 1\n[output]\nplots = false\n"
    )
    program("run", tmp_path / "a.toml", "--ensemble", 3, "--output", tmp_path / "out")
    table = pleiad.read_table(tmp_path / "out" / "ensemble.csv")
    assert len(table) == 3 and table["seed"].tolist() == [1, 2, 3]
    assert table["status"].tolist() == ["ok"] * 3 and len(table["state_hash"][0]) == 32
    assert "virial_ratio_50" in pleiad.read_table(tmp_path / "out" / "ensemble_times.csv")


def test_words_behind_numbers_may_have_blanks(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(
        "# units: nbody\n# time kernel\n0 cpu/fmm order=5 theta=0.6\n1 cpu/simd\n"
    )
    table = pleiad.read_table(tmp_path / "a.txt")
    assert table["kernel"].tolist() == ["cpu/fmm order=5 theta=0.6", "cpu/simd"]
    assert table["time"].dtype == np.int64


def test_the_accuracy_of_solvers_is_read_and_drawn(tmp_path: Path, program: Callable[..., str]) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    csv = tmp_path / "a.csv"
    program("accuracy", "--model", "plummer", "-n", 300, "--longest", 1000, "--csv", csv)
    table = pleiad.read_table(csv)
    direct = np.char.startswith(table["solver"].astype(str), "direct")
    assert table["dial"].dtype == np.float64
    assert np.array_equal(np.isnan(table["dial"]), direct), "direct sums have no dial"
    assert len(pleiad.plot.accuracy(table, plt.figure().gca()).lines) >= 3
    plt.close("all")


numbers = st.floats(allow_nan=False, width=64) | st.just(float("inf"))
words = st.text("abcfinNxyzÄßπ星", min_size=2, max_size=8).filter(
    lambda text: text.lower() not in ("nan", "inf", "infinity")
)


@given(
    st.integers(1, 5).flatmap(
        lambda n: st.tuples(
            st.lists(numbers, min_size=n, max_size=n),
            st.lists(st.integers(-(2**63), 2**63 - 1), min_size=n, max_size=n),
            st.lists(words, min_size=n, max_size=n),
        )
    )
)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, columns: tuple[list[float], list[int], list[str]]
) -> None:
    path = tmp_path_factory.mktemp("table") / "a.csv"
    table = pleiad.Table(dict(zip(("number", "whole", "word"), columns, strict=True)), {"units": "nbody"})
    table.write(path)
    read = pleiad.read_table(path)
    assert read.columns == table.columns and read.about == table.about
    for name in table:
        assert np.array_equal(read[name], table[name])


def test_no_rows_are_a_table_too(tmp_path: Path) -> None:
    pleiad.Table({"a": [], "b": []}).write(tmp_path / "a.csv")
    read = pleiad.read_table(tmp_path / "a.csv")
    assert len(read) == 0 and read.columns == ("a", "b")
    assert len(pleiad.Table({})) == 0 and "[0 rows]" in repr(pleiad.Table({}))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no table"),
        ("# only: comments\n", "no table"),
        ("a,b\n1,2\n3\n", "line 3 has 1 cells, but there are 2 names"),
        ("# a b c\n1 2 3\n4 5\n", "line 3 has 2 cells, but there are 3 names"),
    ],
)
def test_damaged_tables_are_refused_by_name_and_line(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "bad.txt").write_text(text)
    with pytest.raises(pleiad.InputError, match=rf"bad\.txt: {sentence}"):
        pleiad.read_table(tmp_path / "bad.txt")


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
    for name in ("picture.png", "absent.txt"):
        with pytest.raises(pleiad.InputError, match=name):
            pleiad.read_table(tmp_path / name)


def test_columns_must_be_of_one_length() -> None:
    with pytest.raises(pleiad.UsageError, match="of one length"):
        pleiad.Table({"a": [1, 2], "b": [1]})
    with pytest.raises(pleiad.UsageError, match="no column 'c'; there are a"):
        pleiad.Table({"a": [1]})["c"]


def test_rows_can_be_chosen_and_shown() -> None:
    table = pleiad.Table({"a": np.arange(100), "b": np.arange(100) / 8})
    assert table.where(table["a"] > 97)["b"].tolist() == [12.25, 12.375]
    assert "..." in repr(table) and "[100 rows]" in repr(table)
    assert table._repr_html_().count("<tr>") == 22
    assert "<td>&lt;b&gt;</td>" in pleiad.Table({"a": ["<b>"]})._repr_html_()


def test_it_becomes_a_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pleiad.Table({"a": [1, 2]}, {"units": "nbody"}).to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame["a"].sum() == 3 and frame.attrs["units"] == "nbody"
