#!/usr/bin/env python3
"""Kills, signals, full disks and damage against the whole program: whatever happens, the run continues bit for bit.

    run_faults.py --pleiad BINARY --faultio faultio.so [--kills COUNT] [-v] [CLASS[.test] ...]

Every test compares with one uninterrupted run: state hash, diagnostics table, trajectory and last snapshot, byte by byte.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import argparse
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

DONE, USAGE, BAD_INPUT, RESOURCE, STOPPED = 0, 2, 3, 4, 75
EVERY_STEPS = 4
# Of libraries, which the address sanitizer need not report.
LEAKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "leaks.txt")

CONFIG = f"""
[initial_conditions]
model = "plummer"
parameters = ["n=1000"]
seed = 11
[gravity]
softening = 0.02
[time]
dt = 0.0078125
t_end = 4.6875
[engine]
threads = 1
precision = "f64"
[output]
pictures = false
plots = false
snapshot_format = "csv"
diagnostics_interval = 0.015625
trajectory_ids = [0, 7]
[checkpoint]
interval_seconds = 0
every_steps = {EVERY_STEPS}
"""

# Snapshots of many bodies, pictures and checkpoints, written while steps are made.
BUSY_CONFIG = """
[initial_conditions]
model = "plummer"
parameters = ["n=12000"]
seed = 11
[gravity]
softening = 0.02
[time]
dt = 0.0078125
t_end = 0.234375
[engine]
kernel = "cpu/fmm order=4 theta=0.8"
[output]
plots = false
movie = false
picture_size = 64
picture_interval = 0.0234375
snapshot_interval = 0.0390625
diagnostics_interval = 0.0078125
trajectory_ids = [0, 7]
[checkpoint]
interval_seconds = 0
every_steps = 2
"""

# Every place and moment in `make test-all`; a few of each kind in `make test`.
ALL = os.environ.get("PLEIAD_TEST_ALL") == "1"

# The kernel and the page cache survive kill -9, so a disk in memory tests the same and is fast everywhere.
SCRATCH = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class Ended:
    def __init__(self, code, out, err, seconds):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds

    def __str__(self):
        return f"exit {self.code} after {self.seconds:.2f} s\n{self.out}{self.err}"


def start(*arguments, faults=None):
    environment = dict(os.environ, ASAN_OPTIONS="verify_asan_link_order=0",
                       LSAN_OPTIONS=f"print_suppressions=0:suppressions={LEAKS}")
    if faults:
        environment.update({name: str(value) for name, value in faults.items()}, LD_PRELOAD=FAULTIO)
    process = subprocess.Popen([PLEIAD, "run", *map(str, arguments)], env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.began = time.monotonic()
    return process


def finish(process, timeout=300):
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"no end after {timeout} s\n{out}{err}") from None
    return Ended(process.returncode, out, err, time.monotonic() - process.began)


def pleiad(*arguments, faults=None):
    return finish(start(*arguments, faults=faults))


class Program(unittest.TestCase):
    """One configuration, its uninterrupted run, and a new folder for each test."""

    text = CONFIG

    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="pleiad-faults-", dir=SCRATCH))
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        cls.config = cls.scratch / "run.toml"
        cls.config.write_text(cls.text)
        cls.whole = cls.scratch / "whole"
        ended = pleiad(cls.config, "--output", cls.whole)
        if ended.code != DONE:
            raise AssertionError(f"the uninterrupted run failed: {ended}")
        cls.seconds = ended.seconds
        cls.hash = json.loads((cls.whole / "summary.json").read_text())["state_hash"]
        assert f"state hash {cls.hash}\n" in ended.out and re.fullmatch("[0-9a-f]{32}", cls.hash), ended.out

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=self._testMethodName + "-", dir=self.scratch)) / "run"

    def new(self, *arguments, **more):
        return start(self.config, "--output", self.folder, *arguments, **more)

    def resume(self, *arguments, **more):
        return pleiad("--resume", self.folder, *arguments, **more)

    def checkpoint(self, previous=False):
        return self.folder / ("checkpoint.prev.pleiad" if previous else "checkpoint.pleiad")

    def wait_for(self, condition, process, seconds=120):
        limit = time.monotonic() + seconds
        while not condition():
            self.assertIsNone(process.poll(), "the run ended too early")
            self.assertLess(time.monotonic(), limit, "waited in vain")
            time.sleep(0.002)

    def wait_for_both_generations(self, process):
        self.wait_for(lambda: self.checkpoint().exists() and self.checkpoint(previous=True).exists(), process)

    def assert_code(self, ended, code):
        self.assertEqual(ended.code, code, str(ended))

    def assert_one_line(self, ended, *words):
        lines = [line for line in ended.err.splitlines() if line.strip()]
        self.assertEqual(len(lines), 1, str(ended))
        for word in words:
            self.assertIn(word, lines[0])

    def assert_same_as_uninterrupted(self, ended, folder=None):
        self.assert_code(ended, DONE)
        self.assertIn(f"state hash {self.hash}\n", ended.out)
        folder = folder or self.folder
        names = sorted(p.relative_to(self.whole) for p in self.whole.rglob("*")
                       if p.name != "manifest.txt" and
                       (p.name.startswith(("snapshot_", "frame_")) or p.suffix in (".txt", ".csv")))
        self.assertIn(pathlib.Path("diagnostics.txt"), names)
        self.assertIn(pathlib.Path("trajectory.csv"), names)
        for name in names:
            self.assertEqual((self.whole / name).read_bytes(), (folder / name).read_bytes(), f"{name} differs")
        # A stop enters the summary before the last snapshot.
        self.assertEqual(*(sorted((f / "manifest.txt").read_text().splitlines()) for f in (self.whole, folder)))
        self.assertEqual([p.name for p in folder.rglob("*.tmp.*")], [])


class Killed(Program):
    def killed(self, process, seconds):
        """Kills after a time; False when the run was faster."""
        try:
            process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            process.kill()
        finish(process)
        return process.returncode == -signal.SIGKILL

    def survive(self, count, seed, faults=None):
        """So many kills at random moments, and the way on from each."""
        draw = random.Random(seed)
        kills = twice = early = 0
        while kills < count:
            shutil.rmtree(self.folder, ignore_errors=True)
            if not self.killed(self.new(faults=faults), draw.uniform(0, self.seconds)):
                continue
            kills += 1
            if not self.checkpoint().exists():  # killed before step 0 was saved: there is nothing to continue
                early += 1
                ended = self.resume() if self.folder.exists() else None
                if ended:
                    self.assertIn(ended.code, (BAD_INPUT, RESOURCE), str(ended))
                self.assert_same_as_uninterrupted(finish(self.new("--overwrite")))
                continue
            if kills < count and draw.random() < 0.3:  # and the resumed run as well
                killed_again = self.killed(start("--resume", self.folder, faults=faults),
                                           draw.uniform(0, self.seconds / 2))
                kills += killed_again
                twice += killed_again
            # The number of threads may change on the way: the bits do not depend on it.
            self.assert_same_as_uninterrupted(self.resume("--threads", draw.choice((1, 2))))
        print(f"\n  {kills} kills ({twice} of them of a resumed run, {early} before the first checkpoint) "
              f"of a run of {self.seconds:.2f} s: state hash, tables and snapshots equal each time")


class Kill(Killed):
    def test_at_random_moments(self):
        self.survive(50 if ALL else 5, seed=2024)

    def test_at_calls_to_the_disk(self):
        """Not moments but places: just before, and in the middle of, writes, syncs and renames."""
        trace = self.scratch / "trace"
        self.assert_same_as_uninterrupted(finish(self.new(faults={"FAULT_DIR": self.folder, "FAULT_TRACE": trace})))
        calls = [line.split()[1] for line in trace.read_text().splitlines() if not line.startswith("0 ")]
        draw = random.Random(7)
        points = sorted(draw.sample(range(1, len(calls) + 1), 20 if ALL else 4)) + [len(calls) - 1, len(calls)]
        for k in points:
            shutil.rmtree(self.folder)
            ended = finish(self.new(faults={"FAULT_DIR": self.folder, "FAULT_KILL_AT": k, "FAULT_TORN": 1}))
            self.assertEqual(ended.code, -signal.SIGKILL, f"call {k} of {len(calls)}: {ended}")
            ended = self.resume() if self.checkpoint().exists() else finish(self.new("--overwrite"))
            self.assert_same_as_uninterrupted(ended)
        print(f"\n  killed at {len(points)} of {len(calls)} calls to the disk ({', '.join(sorted(set(calls)))})")

    def test_while_it_replaces_a_run(self):
        """Whatever call to the disk is the last: the old run is there again, or the new one goes on."""
        trace = self.scratch / "trace-of-replacing"
        shutil.copytree(self.whole, self.folder)
        self.assert_same_as_uninterrupted(finish(self.new("--overwrite", faults={"FAULT_DIR": self.folder, "FAULT_TRACE": trace})))
        calls = [line.split() for line in trace.read_text().splitlines() if not line.startswith("0 ")]
        # The old run is set aside and deleted within these; at each of them, or at every eighth.
        points = range(1, 81, 1 if ALL else 8)
        self.assertGreater(len(calls), 2 * 80)
        for k in points:
            shutil.rmtree(self.folder)
            shutil.copytree(self.whole, self.folder)
            ended = finish(self.new("--overwrite", faults={"FAULT_DIR": self.folder, "FAULT_KILL_AT": k, "FAULT_TORN": 1}))
            self.assertEqual(ended.code, -signal.SIGKILL, f"call {k} of {len(calls)}: {ended}")
            self.assert_same_as_uninterrupted(self.resume())
            self.assertFalse((self.folder / ".replaced").exists())
        print(f"\n  killed at {len(points)} of {len(calls)} calls to the disk of a run that replaces another")


class Busy(Killed):
    """Snapshots, pictures and checkpoints are on their way to a slow disk nearly all the time."""

    text = BUSY_CONFIG

    def slow(self, **more):
        return {"FAULT_DIR": self.folder, "FAULT_SLOW": 5, **more}

    def test_kills_at_random_moments(self):
        self.survive(KILLS, seed=14, faults=self.slow())

    def calls(self, part):
        """How many calls to the disk the files called so take."""
        trace = self.scratch / f"trace-{part}"
        shutil.rmtree(self.folder, ignore_errors=True)
        ended = finish(self.new(faults={"FAULT_DIR": self.folder, "FAULT_FILE": part, "FAULT_TRACE": trace}))
        self.assert_same_as_uninterrupted(ended)
        shutil.rmtree(self.folder)
        return len([line for line in trace.read_text().splitlines() if not line.startswith("0 ")])

    def test_a_call_that_fails_for_a_snapshot_or_a_picture_ends_the_run_which_goes_on_later(self):
        draw = random.Random(3)
        ends = 0
        for part in ("snapshot_", "frame_"):
            calls = self.calls(part)
            for k in sorted(draw.sample(range(1, calls + 1), min(calls, max(4, KILLS // 2)))):
                shutil.rmtree(self.folder, ignore_errors=True)
                ended = finish(self.new(faults=self.slow(FAULT_FILE=part, FAULT_AT=k, FAULT_ERRNO=28)))
                if ended.code == DONE:  # what fails on an object that is only looked at, or closed a second time
                    self.assert_same_as_uninterrupted(ended)
                    continue
                ends += 1
                self.assert_code(ended, RESOURCE)
                self.assertIn("No space left on device", ended.err)
                self.assertEqual([p.name for p in self.folder.rglob("*.tmp.*")], [])
                if self.folder.exists() and self.checkpoint().exists():
                    self.assertIn("is good: pleiad run --resume", ended.err)
                    ended = self.resume()
                else:  # before there was a checkpoint the run takes everything back
                    self.assertEqual(list(self.folder.glob("*")), [])
                    ended = finish(self.new())
                self.assert_same_as_uninterrupted(ended)
        self.assertGreater(ends, 4)

    def test_a_call_that_fails_for_a_checkpoint_hurts_nobody(self):
        draw = random.Random(4)
        calls = self.calls("checkpoint.")
        for k in sorted(draw.sample(range(1, calls + 1), max(4, KILLS // 2))):
            shutil.rmtree(self.folder, ignore_errors=True)
            faults = self.slow(FAULT_FILE="checkpoint.", FAULT_AT=k, FAULT_ERRNO=28)
            self.assert_same_as_uninterrupted(finish(self.new(faults=faults)))
            self.assert_same_as_uninterrupted(self.resume())

    def test_a_disk_that_stays_full_for_checkpoints(self):
        faults = self.slow(FAULT_FILE="checkpoint.", FAULT_AT=60, FAULT_STICKY=1, FAULT_ERRNO=28)
        ended = finish(self.new("--set", "checkpoint.require=true", faults=faults))
        self.assert_code(ended, RESOURCE)
        self.assertIn("is good: pleiad run --resume", ended.err)
        self.assertEqual([p.name for p in self.folder.rglob("*.tmp.*")], [])
        self.assert_same_as_uninterrupted(self.resume("--set", "checkpoint.require=false"))

    def test_a_signal_ends_with_a_checkpoint_of_the_last_step(self):
        process = self.new(faults=self.slow())
        self.wait_for_both_generations(process)
        process.send_signal(signal.SIGTERM)
        ended = finish(process)
        self.assert_code(ended, STOPPED)
        self.assertEqual([p.name for p in self.folder.rglob("*.tmp.*")], [])
        self.assert_same_as_uninterrupted(self.resume())


class Stop(Program):
    def assert_stopped_and_continues(self, ended, word):
        self.assert_code(ended, STOPPED)
        self.assertIn(word, ended.err)
        self.assertTrue(self.checkpoint().exists())
        self.assertEqual([p.name for p in self.folder.rglob("*.tmp.*")], [])
        self.assert_same_as_uninterrupted(self.resume("--set", "limits.walltime_seconds=0"))

    @contextlib.contextmanager
    def paused(self, process):
        process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            process.send_signal(signal.SIGCONT)

    def test_by_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGHUP, signal.SIGXCPU):
            with self.subTest(number.name):
                shutil.rmtree(self.folder, ignore_errors=True)
                process = self.new()
                self.wait_for_both_generations(process)
                process.send_signal(number)
                self.assert_stopped_and_continues(finish(process), number.name)

    def test_by_stop_file(self):
        process = self.new()
        self.wait_for_both_generations(process)
        with self.paused(process):
            (self.folder / "stop").touch()
            time.sleep(0.3)  # it looks for the file a few times a second
        self.assert_stopped_and_continues(finish(process), "stop file")
        self.assertFalse((self.folder / "stop").exists())

    def test_by_walltime(self):
        # No machine has made all steps by then.
        ended = finish(self.new("--walltime", "0.02"))
        self.assert_stopped_and_continues(ended, "wall time")

    def test_again_and_again(self):
        """Ten stops in one run, or three at least: each continues where the last one was."""
        pause = self.seconds / 12
        while (stops := self.stopped_again_and_again(pause)) < 3:  # the machine has become that much faster
            self.assertGreater(pause, 1e-3, stops)
            shutil.rmtree(self.folder)
            pause /= 4

    def stopped_again_and_again(self, pause):
        process, stops = self.new(), 0
        self.wait_for(self.checkpoint().exists, process)
        while stops < 10:
            process.send_signal(signal.SIGTERM)
            ended = finish(process)
            if ended.code == DONE:
                break
            if ended.code == -signal.SIGTERM:  # it came before the run had begun to listen
                pause *= 1.5
            else:
                self.assert_code(ended, STOPPED)
                stops += 1
            process = start("--resume", self.folder)
            time.sleep(pause)
        else:
            ended = finish(process)
        self.assert_same_as_uninterrupted(ended)
        return stops

    def test_second_signal_stops_now(self):
        process = self.new()
        self.wait_for_both_generations(process)
        with self.paused(process):  # so that both wait for it when it wakes up, and no step can end between them
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGTERM)
        ended = finish(process)
        self.assertIn(ended.code, (128 + signal.SIGINT, 128 + signal.SIGTERM), str(ended))
        self.assertNotIn("state hash", ended.out)
        self.assert_same_as_uninterrupted(self.resume())


class FullDisk(Program):
    def faults(self, part, at, **more):
        return {"FAULT_DIR": self.folder, "FAULT_FILE": part, "FAULT_AT": at, "FAULT_ERRNO": 28, **more}

    def test_that_stays_full_the_run_goes_on_and_the_old_checkpoint_stays(self):
        ended = finish(self.new(faults=self.faults("checkpoint.", 200, FAULT_STICKY=1)))
        self.assert_same_as_uninterrupted(ended)
        self.assertEqual(ended.err.count("No space left on device"), 1, "one warning for the whole time\n" + ended.err)
        before = self.checkpoint().read_bytes()
        self.assert_same_as_uninterrupted(self.resume())
        self.assertNotEqual(before, self.checkpoint().read_bytes())

    def test_for_a_while_the_run_goes_on_and_says_when_it_is_over(self):
        ended = finish(self.new(faults=self.faults("checkpoint.", 203)))
        self.assert_same_as_uninterrupted(ended)
        self.assertIn("can be written again", ended.err)

    def test_with_checkpoint_require_the_run_ends_with_4_and_continues_later(self):
        ended = finish(self.new("--set", "checkpoint.require=true", faults=self.faults("checkpoint.", 200, FAULT_STICKY=1)))
        self.assert_code(ended, RESOURCE)
        self.assertIn("No space left on device", ended.err)
        self.assertEqual([p.name for p in self.folder.rglob("*.tmp.*")], [])
        self.assert_same_as_uninterrupted(self.resume())

    def test_of_the_tables_loses_no_line(self):
        ended = finish(self.new(faults=self.faults("diagnostics.txt", 20)))
        self.assert_same_as_uninterrupted(ended)
        shutil.rmtree(self.folder)
        ended = finish(self.new(faults=self.faults("diagnostics.txt", 20, FAULT_STICKY=1)))
        self.assert_code(ended, RESOURCE)
        self.assert_same_as_uninterrupted(self.resume())

    def test_that_is_tiny(self):
        """A real one: the run ends for want of room, room is made, and it continues."""
        mount = self.folder.parent / "disk"
        mount.mkdir()
        script = f"""
            mount -t tmpfs -o size=320k tmpfs {mount} || exit 77
            "$0" run {self.config} --output {mount}/run; code=$?
            test $code -eq 4 || exit 1
            ls {mount}/run | grep -F .tmp. && exit 2
            mount -o remount,size=8m {mount} || exit 77
            "$0" run --resume {mount}/run; code=$?
            test $code -eq 0 || exit 3
            cp -r {mount}/run {self.folder}; umount {mount}"""
        for unshare in (["unshare", "-Urm"], ["unshare", "-m"]):
            done = subprocess.run([*unshare, "sh", "-c", script, PLEIAD], capture_output=True, text=True)
            if "pleiad" in done.stderr or done.returncode == 0:
                break
        else:
            self.skipTest("this machine permits neither user namespaces nor mounting: no tiny disk to fill")
        self.assertIn("No space left on device", done.stderr)
        self.assert_same_as_uninterrupted(Ended(done.returncode, done.stdout, done.stderr, 0))


class Refusal(Program):
    def stopped_run(self):
        process = self.new()
        self.wait_for_both_generations(process)
        process.send_signal(signal.SIGTERM)
        self.assert_code(finish(process), STOPPED)

    def test_a_second_process_in_the_directory(self):
        process = self.new()
        self.wait_for(self.checkpoint().exists, process)
        for second in (self.resume("--quiet"), pleiad(self.config, "--output", self.folder, "--quiet"),
                       pleiad(self.config, "--output", self.folder, "--overwrite", "--quiet")):
            self.assert_code(second, RESOURCE)
            self.assert_one_line(second, "another run", str(process.pid), str(self.folder))
        self.assert_same_as_uninterrupted(finish(process))

    def test_damaged_checkpoints_fall_back_with_a_warning(self):
        self.stopped_run()
        pristine = self.folder.with_name("pristine")
        self.folder.rename(pristine)
        draw = random.Random(99)
        whole = (pristine / "checkpoint.pleiad").read_bytes()

        def flipped():
            bit = draw.randrange(8 * len(whole))
            bytes_ = bytearray(whole)
            bytes_[bit // 8] ^= 1 << bit % 8
            return bytes(bytes_)

        damages = [b"", whole[:-1], whole + b"\0", whole[:39], *(whole[:draw.randrange(len(whole))] for _ in range(3)),
                   *(flipped() for _ in range(5)), None]
        for damage in damages:
            shutil.rmtree(self.folder, ignore_errors=True)
            shutil.copytree(pristine, self.folder)
            self.checkpoint().unlink()
            if damage is not None:
                self.checkpoint().write_bytes(damage)
            ended = self.resume()
            self.assertIn("continuing from the previous checkpoint", ended.err)
            self.assert_same_as_uninterrupted(ended)
        print(f"\n  {len(damages)} damaged checkpoints: the previous one used each time, with a warning")

    def test_without_a_whole_checkpoint(self):
        self.stopped_run()
        self.checkpoint().write_bytes(self.checkpoint().read_bytes()[:1000])
        self.checkpoint(previous=True).write_bytes(b"not a checkpoint")
        table = (self.folder / "diagnostics.txt").read_bytes()
        ended = self.resume()
        self.assert_code(ended, BAD_INPUT)
        self.assert_one_line(ended, "truncated", "not a Pleiad checkpoint")
        self.assertEqual(table, (self.folder / "diagnostics.txt").read_bytes(), "a refusal touches no file")
        for previous in (False, True):
            self.checkpoint(previous).unlink()
        ended = self.resume()
        self.assert_code(ended, BAD_INPUT)
        self.assert_one_line(ended, "there is no checkpoint in", str(self.folder))

    def test_a_table_that_was_cut_is_refused(self):
        self.stopped_run()
        table = self.folder / "diagnostics.txt"
        table.write_bytes(table.read_bytes()[:100])
        ended = self.resume("--quiet")
        self.assert_code(ended, BAD_INPUT)
        self.assert_one_line(ended, "diagnostics.txt", "100 bytes")

    def test_directories_that_cannot_be_used(self):
        (self.folder.parent / "file").write_text("x")
        (self.folder.parent / "real").mkdir()
        (self.folder.parent / "link").symlink_to("real")
        for name, word in (("file", "irectory"), ("file/below", "irectory"), ("link", "symbolic link")):
            ended = pleiad(self.config, "--output", self.folder.parent / name, "--quiet")
            self.assert_code(ended, RESOURCE)
            self.assert_one_line(ended, name, word)
        self.assertEqual(os.listdir(self.folder.parent / "real"), [])
        ended = pleiad("--resume", self.folder.parent / "nowhere", "--quiet")
        self.assertIn(ended.code, (BAD_INPUT, RESOURCE), str(ended))
        self.assert_one_line(ended, "nowhere")

    def test_a_directory_deleted_during_the_run(self):
        process = self.new("--set", "checkpoint.require=true")
        self.wait_for_both_generations(process)
        self.folder.rename(self.folder.with_name("gone"))
        ended = finish(process)
        self.assert_code(ended, RESOURCE)
        self.folder.with_name("gone").rename(self.folder)
        self.assert_same_as_uninterrupted(self.resume())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--pleiad", required=True)
    parser.add_argument("--faultio", required=True)
    parser.add_argument("--kills", type=int, default=8 if ALL else 2, help="of a busy run (default 2; 8 with PLEIAD_TEST_ALL=1)")
    options, rest = parser.parse_known_args()
    PLEIAD, FAULTIO, KILLS = os.path.abspath(options.pleiad), os.path.abspath(options.faultio), options.kills
    unittest.main(argv=[sys.argv[0], *rest])
