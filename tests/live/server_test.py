#!/usr/bin/env python3
"""The live view against clients that mean ill: who may see it, what a request may be, what a client can cost, and that a run never differs.

    server_test.py --pleiad BINARY [-v] [CLASS[.test] ...]
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import client
from client import Browser, Program, exchange, request, until, upgrade

PLEIAD = ""
DONE, USAGE, RESOURCE, STOPPED = 0, 2, 4, 75
COUNT = 500
SETTINGS = ["output.pictures=false", "output.plots=false", "engine.threads=2", "engine.precision=f64", "engine.kernel=cpu/simd", "gravity.softening=0.05"]


def run_arguments(folder, t_end, *more, count=COUNT):
    config = pathlib.Path(folder) / "problem.toml"
    config.write_text(f'[initial_conditions]\nmodel = "plummer"\nparameters = ["n={count}"]\nseed = 5\n[time]\ndt = 0.0078125\nt_end = {t_end}\n')
    settings = [word for setting in SETTINGS for word in ("--set", setting)]
    return ["run", str(config), *settings, "--output", str(pathlib.Path(folder) / "out"), "--overwrite", "--quiet", *more]


def hash_of(output):
    return re.search(r"state hash ([0-9a-f]{32})", output)[1]


class Served(unittest.TestCase):
    """A run that is paused, so that nothing moves meanwhile."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = Program(PLEIAD, *run_arguments(cls.folder.name, 1e4, "--live=0", "--live-control"))
        cls.port, cls.token = cls.program.port, cls.program.token
        cls.cookie = f"pleiad-{cls.port}={cls.token}"
        cls.host = f"127.0.0.1:{cls.port}"
        browser = Browser(cls.program)
        browser.say(type="control", do="pause")
        while browser.text("status")["state"] != "paused":
            pass
        browser.close()

    @classmethod
    def tearDownClass(cls):
        cls.program.__exit__()
        cls.folder.cleanup()

    def ask(self, target="/", method="GET", **fields):
        fields.setdefault("Cookie", self.cookie)
        return exchange(self.port, request(self.port, target, method, **fields))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.program.process.pid}/fd"))

    def open_files(self):
        folder = f"/proc/{self.program.process.pid}/fd"
        links = set()
        for entry in os.listdir(folder):
            try:
                links.add(os.readlink(os.path.join(folder, entry)))
            except FileNotFoundError:
                pass  # closed since it was listed
        return links

    def memory(self):
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.program.process.pid}/status").read_text())[1]) << 10

    def assert_well(self):
        """A browser that behaves still sees the run."""
        browser = Browser(self.program)
        self.assertEqual(browser.text("hello")["bodies"], COUNT)
        self.assertEqual(browser.frame().points, COUNT)
        browser.close()


class Address(Served):
    def test_it_listens_on_this_machine_alone(self):
        listening = set()
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            for line in pathlib.Path(table).read_text().splitlines()[1:] if os.path.exists(table) else []:
                address, state = line.split()[1], line.split()[3]
                if state == "0A" and int(address.split(":")[1], 16) == self.port:
                    listening.add(address.split(":")[0])
        self.assertIn("0100007F", listening)
        self.assertLessEqual(listening, {"0100007F", "00000000000000000000000001000000"})

    def test_a_run_without_live_listens_nowhere(self):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.Popen([PLEIAD, *run_arguments(folder, 1e4)], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            try:
                self.assertTrue(until(lambda: (pathlib.Path(folder) / "out/diagnostics.txt").exists()))
                links = [os.readlink(f"/proc/{run.pid}/fd/{entry}") for entry in os.listdir(f"/proc/{run.pid}/fd")]
                self.assertFalse([link for link in links if link.startswith("socket:")])
            finally:
                run.kill()
                run.wait()

    def test_another_address_is_warned_of(self):
        with tempfile.TemporaryDirectory() as folder:
            with Program(PLEIAD, *run_arguments(folder, 1e4, "--live=0", "--live-address", "127.0.0.2")) as program:
                self.assertIn("without encryption", program.said)
                self.assertEqual(program.host, "127.0.0.2")
                self.assertEqual(exchange(program.port, request(program.port, f"/?token={program.token}", Host=f"127.0.0.2:{program.port}"), "127.0.0.2").status, 303)
                with self.assertRaises(OSError):
                    socket.create_connection(("127.0.0.1", program.port), timeout=5)

    def test_a_name_is_no_address(self):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([PLEIAD, *run_arguments(folder, 1, "--live=0", "--live-address", "localhost")], capture_output=True, text=True)
            self.assertEqual(run.returncode, USAGE)
            self.assertIn("no numeric address", run.stderr)

    def test_a_busy_port_is_said_before_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([PLEIAD, *run_arguments(folder, 1, f"--live={self.port}")], capture_output=True, text=True)
            self.assertEqual(run.returncode, RESOURCE)
            self.assertIn(f"port {self.port}", run.stderr)
            self.assertFalse((pathlib.Path(folder) / "out").exists())

    def test_options_of_the_view_need_it(self):
        with tempfile.TemporaryDirectory() as folder:
            for option in (["--live-control"], ["--live-address", "127.0.0.1"], ["--live-record", "x"], ["--live=65536"], ["--live=x"]):
                run = subprocess.run([PLEIAD, *run_arguments(folder, 1, *option)], capture_output=True, text=True)
                self.assertEqual((option, run.returncode), (option, USAGE))


class Access(Served):
    def test_the_address_gives_the_cookie_once(self):
        answer = self.ask(f"/?token={self.token}", Cookie=None)
        self.assertEqual((answer.status, answer.fields["location"]), (303, "/"))
        self.assertEqual(answer.fields["set-cookie"], f"{self.cookie}; HttpOnly; SameSite=Strict; Path=/")

    def test_every_run_has_another_one(self):
        with tempfile.TemporaryDirectory() as folder, Program(PLEIAD, *run_arguments(folder, 1e4, "--live=0")) as other:
            self.assertNotEqual(other.token, self.token)
            self.assertEqual(len(bytes.fromhex(other.token)), 16)

    def test_nothing_is_seen_without_it(self):
        wrong = "0" * 32
        for target in ("/", "/index.html", "/live", "/nothing", "/?token=", f"/?token={wrong}", f"/?token={self.token[:-1]}", f"/?token={self.token}0"):
            for cookie in (None, f"pleiad-{self.port}={wrong}", f"pleiad-{self.port}=", f"xpleiad-{self.port}={self.token}", self.token):
                self.assertIn(self.ask(target, Cookie=cookie).status, (401, 403), (target, cookie))
            self.assertIn(self.ask(target, Cookie=None, X_Pleiad_Token=wrong).status, (401, 403), target)

    def test_no_socket_opens_without_it(self):
        for cookie in (None, f"pleiad-{self.port}=" + "0" * 32, f"pleiad-{self.port + 1}={self.token}"):
            self.assertIn(exchange(self.port, upgrade(self.port, self.token, Cookie=cookie)).status, (401, 403))

    def test_a_header_may_have_it_too(self):
        self.assertEqual(self.ask("/", Cookie=None, X_Pleiad_Token=self.token).status, 200)
        self.assertEqual(self.ask("/", Cookie=f"a=b; {self.cookie}; c=d").status, 200)


class Origin(Served):
    def test_other_names_of_the_server_are_refused(self):
        for host in (None, "", "evil.example", f"evil.example:{self.port}", "localhost.evil", f"127.0.0.1.evil:{self.port}", "LOCALHOST", "127.0.0.1:x", "127.0.0.1:", f"127.0.0.1:{self.port}@evil",
                     "0.0.0.0", "127.0.0.2", "[::2]", "2130706433", "127.1"):
            self.assertIn(self.ask(Host=host).status, (400, 403), host)
            self.assertIn(exchange(self.port, upgrade(self.port, self.token, Host=host)).status, (400, 403), host)

    def test_its_own_names_pass_at_any_port_of_a_tunnel(self):
        for host in (self.host, f"localhost:{self.port}", "localhost:9000", f"[::1]:{self.port}", "127.0.0.1"):
            self.assertEqual(self.ask(Host=host).status, 200, host)

    def test_a_socket_opens_to_the_own_page_alone(self):
        for origin in ("null", "http://evil.example", "http://localhost.evil", f"http://127.0.0.1:{self.port + 1}", f"http://localhost:{self.port}", f"https://127.0.0.1:{self.port}",
                       f"HTTP://127.0.0.1:{self.port}", f"http://127.0.0.1:{self.port}/", "http://127.0.0.1", "", None):
            self.assertEqual(exchange(self.port, upgrade(self.port, self.token, Origin=origin)).status, 403, origin)
        # Nobody but a program can have the token in a header.
        with socket.create_connection(("127.0.0.1", self.port)) as s:
            s.sendall(upgrade(self.port, self.token, Origin=None, Cookie=None, X_Pleiad_Token=self.token))
            self.assertTrue(s.recv(100).startswith(b"HTTP/1.1 101"))

    def test_a_foreign_page_gets_nothing_at_all(self):
        self.assertEqual(self.ask(Origin="http://evil.example").status, 403)
        self.assertEqual(self.ask(method="POST", Origin="http://evil.example", Content_Length="0").status, 403)


class Requests(Served):
    def test_only_get_is_answered(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "HEAD", "CONNECT"):
            self.assertEqual(self.ask(method=method).status, 405, method)

    def test_no_address_changes_anything(self):
        browser = Browser(self.program)
        before = browser.frame()
        for target in ("/", "/index.html", "/stop", "/pause", "/control", "/control?do=stop", "/live?do=stop", "/live", "/keyboard/81", "/shutdown"):
            self.ask(target)
        browser.say(type="key")
        after = browser.frame()
        self.assertEqual((after.step, after.rest), (before.step, before.rest))
        browser.close()

    def test_no_address_reaches_a_file(self):
        before = self.open_files()
        for target in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/index.html%00", "//etc/passwd", "//", "/\\..\\etc\\passwd", f"http://{self.host}/", f"http://{self.host}/index.html", "/.", "/./index.html",
                       "/index.html/", "/index.html?x", "/INDEX.HTML", "/page/index.html", "*", "index.html", "/etc/passwd"):
            self.assertEqual(self.ask(target).status, 404, target)
        self.assertLessEqual({link for link in self.open_files() if not link.startswith("socket:")}, before)

    def test_limits(self):
        for name, bytes_, statuses in (
                ("line", request(self.port, "/" + "x" * 3000, Cookie=self.cookie), (414,)),
                ("header", request(self.port, Cookie=self.cookie, X_Long="x" * 9000), (431,)),
                ("fields", request(self.port, Cookie=self.cookie, **{f"X_{k}": "1" for k in range(80)}), (431,)),
                ("body", request(self.port, method="POST", Cookie=self.cookie, Content_Length="70000"), (413,)),
                ("huge body", request(self.port, method="POST", Cookie=self.cookie, Content_Length="99999999999999999999"), (400, 413)),
                ("negative body", request(self.port, method="POST", Cookie=self.cookie, Content_Length="-1"), (400,)),
                ("both lengths", request(self.port, method="POST", Cookie=self.cookie, Content_Length="4", Transfer_Encoding="chunked"), (400,)),
                ("lengths the other way", request(self.port, method="POST", Cookie=self.cookie, Transfer_Encoding="chunked", Content_Length="4"), (400,)),
                ("two hosts", request(self.port, Cookie=self.cookie).replace(b"\r\n\r\n", b"\r\nHost: evil\r\n\r\n"), (400,)),
                ("no version", b"GET /\r\n\r\n", (400,)),
                ("other version", request(self.port, Cookie=self.cookie).replace(b"HTTP/1.1", b"HTTP/3.0"), (400,)),
                ("NUL", request(self.port, "/\0", Cookie=self.cookie), (400, 404)),
                ("line break in a field", request(self.port, Cookie=self.cookie).replace(b"Cookie: ", b"Cookie : "), (400,)),
                ("no request", bytes(range(256)) * 4, (400,))):
            self.assertIn(exchange(self.port, bytes_).status, statuses, name)
        self.assert_well()

    def test_a_connection_has_one_request(self):
        two = request(self.port, Cookie=self.cookie) + request(self.port, "/nothing", Cookie=self.cookie)
        answer = exchange(self.port, two)
        self.assertEqual((answer.status, answer.fields["connection"]), (200, "close"))
        self.assertNotIn(b"HTTP/1.1", answer.body)
        smuggled = upgrade(self.port, self.token) + b"\x81\x80\0\0\0\0"
        self.assertEqual(exchange(self.port, smuggled).status, 400)

    def test_a_half_request_is_closed_after_a_while_and_holds_nobody_up(self):
        before = self.descriptors()
        slow = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(100)]
        for s in slow:
            s.sendall(b"GET / HTTP/1.1\r\nHost: ")
        self.assert_well()
        self.assertEqual(self.ask().status, 200)
        for s in slow:
            s.settimeout(20)
            try:
                self.assertEqual(s.recv(100), b"")
            except ConnectionResetError:
                pass
            s.close()
        self.assertTrue(until(lambda: self.descriptors() <= before))

    def test_every_answer_forbids_what_a_page_need_not_do(self):
        for answer in (self.ask(), self.ask(Cookie=None), self.ask("/nothing"), self.ask(f"/?token={self.token}"), self.ask(Host="evil"), exchange(self.port, b"x\r\n\r\n")):
            self.assertTrue(answer.fields["content-security-policy"].startswith("default-src 'self'"))
            self.assertIn("frame-ancestors 'none'", answer.fields["content-security-policy"])
            self.assertEqual(answer.fields["x-content-type-options"], "nosniff")
            self.assertEqual(answer.fields["referrer-policy"], "no-referrer")
            self.assertFalse([name for name in answer.fields if name.startswith("access-control")])
            self.assertNotIn("server", answer.fields)

    def test_the_page_asks_nothing_of_other_servers(self):
        html = self.ask().body.decode()
        for name in re.findall(r'(?:src|href)="([^"#]+)"', html):
            self.assertNotRegex(name, r"^(https?:)?//", name)
            self.assertEqual(self.ask("/" + name.removeprefix("./").removeprefix("/")).status, 200, name)


class Sockets(Served):
    def closes_with(self, *frames):
        browser = Browser(self.program)
        self.assertEqual(browser.status, 101)
        try:
            for arguments in frames:
                browser.send_frame(**arguments)
        except OSError:
            pass
        code = browser.close_code()
        browser.close()
        return code

    def test_frames_against_the_standard(self):
        text = json.dumps({"type": "key"}).encode()
        for name, frames in {
                "unmasked": [dict(first=0x81, payload=text, mask=None)],
                "RSV1": [dict(first=0xC1, payload=text)],
                "RSV2": [dict(first=0xA1, payload=text)],
                "RSV3": [dict(first=0x91, payload=text)],
                "reserved opcode": [dict(first=0x83, payload=text)],
                "reserved control opcode": [dict(first=0x8B, payload=b"")],
                "fragmented ping": [dict(first=0x09, payload=b"x")],
                "long ping": [dict(first=0x89, payload=b"x" * 126)],
                "continuation of nothing": [dict(first=0x80, payload=text)],
                "a text within a text": [dict(first=0x01, payload=b"{"), dict(first=0x81, payload=b"}")],
                "16 bits for a short length": [dict(first=0x81, payload=text, length=b"\x7e" + struct.pack(">H", len(text)))],
                "64 bits for a short length": [dict(first=0x81, payload=text, length=b"\x7f" + struct.pack(">Q", len(text)))],
                "close with one byte": [dict(first=0x88, payload=b"\x03")],
                "close with a code that is none": [dict(first=0x88, payload=struct.pack(">H", 999))]}.items():
            self.assertEqual((name, self.closes_with(*frames)), (name, 1002))
        self.assert_well()

    def test_text_that_is_not_utf8(self):
        self.assertEqual(self.closes_with(dict(first=0x81, payload=b"\xff\xfe")), 1007)
        self.assertIn(self.closes_with(dict(first=0x88, payload=struct.pack(">H", 1000) + b"\xff")), (1002, 1007))

    def test_what_is_too_long_is_refused_before_it_has_come(self):
        before = self.memory()
        for length in (b"\x7e" + struct.pack(">H", 65535), b"\x7f" + struct.pack(">Q", 65537), b"\x7f" + struct.pack(">Q", 1 << 40), b"\x7f" + struct.pack(">Q", (1 << 63) - 1)):
            self.assertEqual((length, self.closes_with(dict(first=0x81, payload=b"", length=length))), (length, 1009))
        self.assertIn(self.closes_with(dict(first=0x81, payload=b"", length=b"\x7f" + struct.pack(">Q", 1 << 63))), (1002, 1009))
        self.assertEqual(self.closes_with(*[dict(first=0x01 if k == 0 else 0x00, payload=b" " * 1000) for k in range(100)]), 1009)
        self.assertLess(self.memory() - before, 8 << 20)

    def test_what_is_no_command(self):
        for text in (b"", b"x", b"{}", b"[]", b'{"type":"nothing"}', b'{"type":"seen"}', b'{"type":"seen","sequence":-1}', b'{"type":"seen","sequence":4294967296}', b'{"type":"colour","by":"<script>"}',
                     b'{"type":"budget","bytes_per_second":1e999}', b'{"type":"camera"}', b'{"type":"pick","request":1,"sequence":1,"index":1.5}', b'{"type":"control","do":"format"}', b"[" * 4000):
            self.assertEqual((text[:60], self.closes_with(dict(first=0x81, payload=text))), (text[:60], 1008))
        self.assertEqual(self.closes_with(dict(first=0x82, payload=b"binary")), 1008)
        self.assert_well()

    def test_picks_beyond_the_frame_find_nothing(self):
        browser = Browser(self.program)
        frame = browser.frame()
        for sequence, index in ((frame.sequence, COUNT), (frame.sequence, 2**32 - 1), (frame.sequence + 7, 0), (0, 0)):
            browser.say(type="pick", request=1, sequence=sequence, index=index)
            self.assertIsNone(browser.text("picked")["id"])
        browser.say(type="pick", request=2, sequence=frame.sequence, index=7)
        self.assertEqual(browser.text("picked")["request"], 2)
        browser.close()

    def test_clients_that_go_without_a_word(self):
        before = self.descriptors()
        for how in range(30):
            browser = Browser(self.program)
            if how % 3 == 0:  # a reset
                browser.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if how % 3 == 1:  # in the middle of a frame
                browser.socket.sendall(b"\x81\xfe\x01")
            browser.close()
        self.assert_well()
        self.assertTrue(until(lambda: self.descriptors() <= before))

    def test_there_are_sixteen_places(self):
        before = self.descriptors()
        browsers = [Browser(self.program) for _ in range(20)]
        self.assertEqual(sorted(b.status for b in browsers), 16 * [101] + 4 * [503])
        for b in browsers:
            b.close()
        self.assertTrue(until(lambda: self.descriptors() <= before))
        self.assert_well()


class Control(unittest.TestCase):
    def test_nobody_controls_a_run_that_was_not_started_so(self):
        with tempfile.TemporaryDirectory() as folder, Program(PLEIAD, *run_arguments(folder, 1, "--live=0")) as program:
            browser = Browser(program)
            self.assertFalse(browser.text("hello")["control"])
            for do in ("pause", "step", "stop"):
                browser.say(type="control", do=do)
                self.assertIn("--live-control", browser.text("error")["message"])
            browser.close()
            self.assertEqual(program.wait()[0], DONE)

    def test_pause_steps_and_stop(self):
        with tempfile.TemporaryDirectory() as folder, Program(PLEIAD, *run_arguments(folder, 1e4, "--live=0", "--live-control")) as program:
            browser = Browser(program)
            browser.say(type="control", do="pause")
            while (status := browser.text("status"))["state"] != "paused":
                pass
            step = status["step"]
            for _ in range(3):
                browser.say(type="control", do="step")
                while (status := browser.text("status"))["step"] == step:
                    pass
                self.assertEqual(status["step"], step + 1)
                step += 1
            browser.say(type="control", do="stop")
            self.assertEqual(browser.close_code(), 1001)
            code, _ = program.wait()
            self.assertEqual(code, STOPPED)
            self.assertIn("by the live view", program.said)

    def test_ensembles_have_no_view(self):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([PLEIAD, *run_arguments(folder, 1, "--live=0", "--ensemble", "4", count=8)], capture_output=True, text=True)
            self.assertEqual(run.returncode, USAGE, run.stderr)


class SameBits(unittest.TestCase):
    """The state hash of a run: without a view, with one, and with clients that misbehave."""

    def run_of(self, *more, meanwhile=None):
        with tempfile.TemporaryDirectory() as folder:
            if meanwhile is None:
                done = subprocess.run([PLEIAD, *run_arguments(folder, 4, *more)], capture_output=True, text=True, check=True)
                return hash_of(done.stdout)
            with Program(PLEIAD, *run_arguments(folder, 4, "--live=0", "--live-control", *more)) as program:
                meanwhile(program)
                code, out = program.wait()
                self.assertEqual(code, DONE, program.said)
                return hash_of(out)

    def run_with_few_descriptors(self):
        """Connections take none of those that the run needs for its files."""
        with tempfile.TemporaryDirectory() as folder:
            limited = ["-c", 'ulimit -n 60; exec "$@"', "sh", PLEIAD, *run_arguments(folder, 4, "--live=0", "--set", "output.snapshot_interval=0.5")]
            with Program("sh", *limited) as program:
                idle = [socket.create_connection((program.host, program.port)) for _ in range(100)]
                code, out = program.wait()
                self.assertEqual(code, DONE, program.said)
                del idle
                return hash_of(out)

    def test_whoever_looks(self):
        def read(program):
            browser = Browser(program)
            for k in range(5):
                browser.say(type="colour", by=("speed", "density", "type")[k % 3])
                browser.frame()

        def paused(program):
            browser = Browser(program)
            browser.say(type="control", do="pause")
            while browser.text("status")["state"] != "paused":
                pass
            return browser

        def pause(program):
            browser = paused(program)
            for k in range(5):
                browser.say(type="control", do="step")
            browser.say(type="control", do="resume")
            while browser.text("status")["state"] == "paused":  # a browser that leaves earlier may take its last words along
                pass

        def pause_and_leave(program):
            paused(program).close()

        def misbehave(program):
            idle = [socket.create_connection((program.host, program.port)) for _ in range(20)]
            stopped = [Browser(program, receive_buffer=4096) for _ in range(8)]
            for browser in stopped:
                browser.say(type="budget", bytes_per_second=1e9)
                browser.send_frame(0x81, b"{}")
            exchange(program.port, bytes(range(256)) * 100)
            del idle

        plain = self.run_of()
        self.assertEqual(plain, self.run_with_few_descriptors())
        self.assertEqual(plain, self.run_of("--set", "limits.check_every=7"))
        for meanwhile in (lambda program: None, read, pause, pause_and_leave, misbehave):
            self.assertEqual(plain, self.run_of(meanwhile=meanwhile))


class View(unittest.TestCase):
    """What is past: the run's folder, a snapshot, a checkpoint, a recording."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = pathlib.Path(cls.folder.name) / "out"
        cls.record = pathlib.Path(cls.folder.name) / "run.rec"
        with Program(PLEIAD, *run_arguments(cls.folder.name, 1, "--live=0", "--live-record", cls.record, "--set", "output.snapshot_interval=0.25")) as program:
            cls.bits = hash_of(program.wait()[1])

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_folder_of_a_run_is_played(self):
        with Program(PLEIAD, "view", self.out, "--port", "0") as program:
            browser = Browser(program)
            hello = browser.text("hello")
            self.assertEqual((hello["kind"], hello["title"], hello["bodies"], hello["softening"]), ("snapshots", "out", COUNT, 0.05))
            self.assertEqual([entry["time"] for entry in hello["frames"]], [0, 0.25, 0.5, 0.75, 1])
            self.assertEqual(browser.text("rows")["rows"][0]["step"], 0)
            self.assertEqual(browser.frame().time, 0)
            browser.say(type="show", index=3)
            self.assertEqual(browser.frame().time, 0.75)
            browser.say(type="show", index=10**6)
            self.assertEqual(browser.frame().time, 1)
            browser.say(type="play", on=True, rate=50)
            times = [browser.frame().time]
            while times[-1] < 1:
                times.append(browser.frame().time)
            self.assertEqual(times, sorted(times))
            program.process.send_signal(signal.SIGINT)
            self.assertEqual(browser.close_code(), 1001)
            self.assertEqual(program.wait()[0], DONE)

    def test_what_cannot_be_read_is_an_error_on_the_page_and_not_the_end(self):
        out = pathlib.Path(self.folder.name) / "damaged"
        shutil.copytree(self.out, out)
        snapshots = [out / f"snapshots/snapshot_{k:03}.hdf5" for k in range(5)]
        snapshots[1].write_bytes(snapshots[1].read_bytes()[:1000])
        snapshots[2].unlink()
        os.mkfifo(snapshots[2])
        with Program(PLEIAD, "view", out, "--port", "0") as program:
            browser = Browser(program)
            self.assertEqual(browser.frame().time, 0)
            snapshots[3].unlink()
            for index in (1, 2, 3):
                browser.say(type="show", index=index)
                self.assertIn(f"snapshot_{index:03}", browser.text("error")["message"])
            browser.say(type="show", index=len(snapshots) - 1)
            while browser.frame().time != 1:
                pass
            other = Browser(program)
            self.assertEqual(other.text("hello")["kind"], "snapshots")
            program.process.send_signal(signal.SIGINT)
            self.assertEqual(program.wait()[0], DONE)

    def test_one_file(self):
        for path in (self.out / "snapshots/snapshot_002.hdf5", self.out / "checkpoint.pleiad"):
            with Program(PLEIAD, "view", path, "--port", "0") as program:
                browser = Browser(program)
                self.assertEqual(len(browser.text("hello")["frames"]), 1)
                self.assertEqual(browser.frame().points, COUNT)

    def test_a_recording(self):
        with Program(PLEIAD, "view", self.record, "--port", "0") as program:
            browser = Browser(program)
            hello = browser.text("hello")
            self.assertEqual((hello["title"], hello["bodies"], hello["softening"]), ("problem", COUNT, 0.05))
            self.assertEqual(browser.frame().points, COUNT)
            browser.say(type="show", index=len(hello["frames"]) - 1)
            self.assertEqual(browser.frame().time, hello["frames"][-1]["time"])

    def test_a_recording_changes_no_bits(self):
        with tempfile.TemporaryDirectory() as folder:
            plain = subprocess.run([PLEIAD, *run_arguments(folder, 1)], capture_output=True, text=True, check=True)
            self.assertEqual(hash_of(plain.stdout), self.bits)

    def test_what_cannot_be_shown_is_refused(self):
        for path, code in ((self.out / "nothing", 2), (self.out / "pictures", 2), (self.out / "config.toml", 3)):
            refused = subprocess.run([PLEIAD, "view", path], capture_output=True, text=True, timeout=60)
            self.assertEqual((path, refused.returncode, refused.stderr.count("\n")), (path, code, 1), refused.stderr)


class Load(unittest.TestCase):
    def test_stopped_clients_cost_little_and_leave_nothing(self):
        """50 that never read, of whom 16 get a place; then 5 that read have theirs."""
        count = 20000
        with tempfile.TemporaryDirectory() as folder, Program(PLEIAD, *run_arguments(folder, 1e4, "--live=0", "--set", "engine.kernel=auto", "--set", "solver.method=fmm", "--set", "engine.precision=mixed", count=count)) as program:
            pid = program.process.pid
            memory = lambda: int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) << 10
            descriptors = lambda: len(os.listdir(f"/proc/{pid}/fd"))
            browser = Browser(program)
            for _ in range(3):
                browser.frame()
            browser.close()
            self.assertTrue(until(lambda: descriptors() > 0))
            time.sleep(0.5)
            before, open_before = memory(), descriptors()
            stopped = [Browser(program, receive_buffer=4096) for _ in range(50)]
            self.assertEqual(sum(b.status == 101 for b in stopped), 16)
            for b in stopped:
                if b.status == 101:
                    b.say(type="budget", bytes_per_second=1e9)
            time.sleep(3)
            self.assertLess(memory() - before, 64 << 20)
            for b in stopped:
                b.close()
            self.assertTrue(until(lambda: descriptors() <= open_before))
            readers = [Browser(program) for _ in range(5)]
            for reader in readers:
                for _ in range(3):
                    reader.frame()
                reader.close()
            self.assertTrue(until(lambda: descriptors() <= open_before))


def main():
    global PLEIAD
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pleiad", required=True)
    parser.add_argument("-v", action="store_true")
    parser.add_argument("tests", nargs="*")
    arguments = parser.parse_args()
    PLEIAD = os.path.abspath(arguments.pleiad)
    unittest.main(argv=[sys.argv[0], *arguments.tests], verbosity=2 if arguments.v else 1, warnings="ignore")


if __name__ == "__main__":
    main()
