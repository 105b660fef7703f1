"""A server that speaks the live view's protocol with made-up bodies, so that the page can be tested without a run.

It keeps to the protocol as strictly as the real one: what it does not understand closes the connection. Standard library only.

    mock_server.py PAGE_FOLDER [--scene plummer|encounter|box] [--bodies N] [--snapshots K] [--control] [--follow] [--picture] [--port P] [--token T]

prints one line, the URL, and serves until it is interrupted. What it was told is written to standard output, a JSON object a line.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import argparse
import array
import asyncio
import base64
import hashlib
import http
import json
import math
import os
import random
import secrets
import struct
import sys

TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
POLICY = "default-src 'self'; frame-ancestors 'none'"
KEY, DELTA, PICTURE = 0, 1, 2
UNSEEN = 2          # frames on their way that the page has not drawn
KEYS_EVERY = 20     # frames
NEAR = 50           # points of a picture
BINARIES = 3        # the first six bodies


# --- Bodies ----------------------------------------------------------------------------------------------------------------------

class Plummer:
    """A cluster that turns, each shell at its own rate."""
    types, box, softening = ["star"], None, 0.02

    def __init__(self, bodies, rng):
        self.bodies = []
        while len(self.bodies) < bodies:
            r = (rng.random() ** (-2 / 3) - 1) ** -0.5
            if r < 12:
                z, phi = rng.uniform(-1, 1), rng.uniform(0, 2 * math.pi)
                s = math.sqrt(1 - z * z)
                self.bodies.append((r * s, phi, r * z, (1 + r * r) ** -0.75))
        self.kinds = bytes(bodies)
        self.corner, self.size = (-13.0,) * 3, (26.0,) * 3

    def at(self, time):
        for r, phi, z, omega in self.bodies:
            a = phi + 0.3 * omega * time
            yield r * math.cos(a), r * math.sin(a), z

    def speeds(self):
        return [max(r * omega, 1e-3) for r, _, _, omega in self.bodies]

    def densities(self):
        return [(1 + r * r + z * z) ** -2.5 for r, _, z, _ in self.bodies]

    def centre(self, time):
        return 0.0, 0.0, 0.0


class Encounter:
    """Two discs with bulges and halos that pass each other."""
    types, box, softening = ["halo", "disc", "bulge"], None, 0.05

    def __init__(self, bodies, rng):
        self.bodies, kinds = [], bytearray()
        for i in range(bodies):
            u = rng.random()
            kind = 1 if u < 0.6 else 2 if u < 0.72 else 0
            z, phi = rng.uniform(-1, 1), rng.uniform(0, 2 * math.pi)
            if kind == 1:
                r = -math.log(1 - rng.random() * 0.98) * 0.9
                z = rng.gauss(0, 0.06)
                phi = 0.35 * phi + (i % 2) * math.pi + 1.4 * math.log(0.3 + r) + rng.gauss(0, 0.5)
            else:
                q = math.sqrt(rng.random() * (0.8 if kind == 2 else 0.6))
                s = math.sqrt(1 - z * z)
                radius = (0.25 if kind == 2 else 2.5) * q / (1 - q)
                r, z = radius * s, radius * z
            self.bodies.append((rng.random() < 0.5, r, phi, z, 1 / (0.6 + r)))
            kinds.append(kind)
        self.kinds = bytes(kinds)
        self.corner, self.size = (-40.0,) * 3, (80.0,) * 3

    @staticmethod
    def galaxy(second, time):
        t, side = time / 12 - 1.2, -1 if second else 1
        return side * 4 * t, side * (1.5 + 1.5 * t * t), side * 0.8 * t

    def at(self, time):
        homes = [self.galaxy(k, time) for k in (0, 1)]
        for second, r, phi, z, omega in self.bodies:
            a = phi + 0.2 * omega * time
            x, y = r * math.cos(a), r * math.sin(a)
            if second:
                y, z = 0.5 * y - 0.87 * z, 0.87 * y + 0.5 * z
            hx, hy, hz = homes[1 if second else 0]
            yield hx + x, hy + y, hz + z

    def speeds(self):
        return [max(r * omega, 1e-3) for _, r, _, _, omega in self.bodies]

    def densities(self):
        return [math.exp(-min(r, 20)) + 1e-6 for _, r, _, _, _ in self.bodies]

    def centre(self, time):
        return self.galaxy(0, time)


class Box:
    """A periodic box in which plane waves steepen into sheets and filaments (Zel'dovich's approximation)."""
    types, softening = ["halo"], 0.005
    box = {"size": 1.0, "sizes": [1.0, 1.0, 1.0], "corner": [0.0, 0.0, 0.0]}

    def __init__(self, bodies, rng):
        self.side = max(2, round(bodies ** (1 / 3)))
        self.places = [tuple((c + 0.5) / self.side for c in (i % self.side, i // self.side % self.side, i // self.side ** 2)) for i in range(self.side ** 3)]
        waves = [(k, rng.uniform(0, 2 * math.pi), rng.gauss(0, 1) / sum(c * c for c in k) ** 1.1)
                 for k in ((x, y, z) for x in range(-4, 5) for y in range(-4, 5) for z in range(0, 5)) if any(k) and sum(c * c for c in k) < 20]
        self.shift = []
        for p in self.places:
            d = [0.0, 0.0, 0.0]
            for k, phase, strength in waves:
                s = strength * math.sin(2 * math.pi * (k[0] * p[0] + k[1] * p[1] + k[2] * p[2]) + phase)
                for c in range(3):
                    d[c] += k[c] * s
            self.shift.append(d)
        largest = max(abs(c) for d in self.shift for c in d)
        self.shift = [[c / largest for c in d] for d in self.shift]
        self.kinds = bytes(len(self.places))
        self.corner, self.size = (0.0,) * 3, (1.0,) * 3

    def at(self, time):
        grown = min(0.11, 0.02 + 0.0015 * time)
        for p, d in zip(self.places, self.shift):
            yield tuple((x + grown * s) % 1.0 for x, s in zip(p, d))

    def speeds(self):
        return [max(math.hypot(*d), 1e-3) for d in self.shift]

    def densities(self):
        return self.speeds()

    def centre(self, time):
        return (math.nan,) * 3


SCENES = {"plummer": Plummer, "encounter": Encounter, "box": Box}


def row(k):
    """The k-th row of diagnostics; what plots show is compared with it."""
    t = 0.5 * k
    return {"type": "row", "time": t, "step": 50 * k, "kinetic": 0.25, "potential": -0.5, "energy_error": 1e-7 * (1 + 0.1 * k + math.sin(k)),
            "virial_ratio": 1 + 0.05 * math.exp(-0.1 * k) * math.cos(0.9 * k), "centre": [0, 0, 0],
            "radii": {"10": 0.36 - 0.001 * k, "50": 0.98 + 0.02 * math.sin(0.3 * k), "90": 2.5 + 0.004 * k}}


class World:
    """What all clients look at: the run's time goes on by frames, unless it is paused."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.scene = SCENES[arguments.scene](arguments.bodies, random.Random(1))
        self.frame, self.state, self.index = 0, "paused" if arguments.snapshots else "running", 0
        self.colours = {"type": None, "speed": self.bytes_of(self.scene.speeds()), "density": self.bytes_of(self.scene.densities())}

    @staticmethod
    def bytes_of(values):
        low, high = min(values), max(values)
        scale = 255 / (math.log(high / low) or 1)
        return bytes(min(255, max(0, round(scale * math.log(v / low)))) for v in values), low, high

    @property
    def time(self):
        return 10.0 * self.index if self.arguments.snapshots else 0.02 * self.frame

    def advance(self):
        if self.state == "running" and not self.arguments.snapshots:
            self.frame += 1

    def quantised(self):
        scale = [65535 / s for s in self.scene.size]
        corner = self.scene.corner
        return array.array("H", [min(65534, max(1, round((p[c] - corner[c]) * scale[c]))) for p in self.scene.at(self.time) for c in range(3)])

    def place(self, q, i):
        return [c + s * v / 65535 for c, s, v in zip(self.scene.corner, self.scene.size, q[3 * i:3 * i + 3])]

    def hello(self):
        a = self.arguments
        return {"type": "hello", "version": 1, "title": a.title or a.scene, "bodies": len(self.scene.kinds), "softening": self.scene.softening,
                "box": self.scene.box, "types": self.scene.types, "units": {"length": "kpc", "velocity": "km/s", "time": "Gyr", "mass": "Msun"},
                "follow": a.follow, "control": a.control and not a.snapshots, "kind": "snapshots" if a.snapshots else "run",
                "frames": [{"time": 10.0 * k, "name": f"snapshot_{k:04d}.hdf5"} for k in range(a.snapshots)]}

    def status(self):
        common = {"type": "status", "step": self.frame, "time": self.time, "end": 100.0, "solver": "cpu/fmm order=5 theta=0.6", "device": "a mock",
                  "state": self.state}
        if self.arguments.snapshots:
            return {**common, "steps_per_second": None, "seconds_left": None, "force_error": None, "index": self.index}
        return {**common, "steps_per_second": 30.0, "seconds_left": (100 - self.time) / 0.6,
                "force_error": {"p99": 8e-4 * (1 + 0.2 * math.sin(self.time)), "median": 1e-4}}


def header(kind, flags, sequence, base, world, points, low=0.0, high=0.0, width=0, height=0):
    s = world.scene
    return struct.pack("<IBBHIIdQQII3f3f3fffI", 0x31464c50, kind, flags, 1, sequence, base, world.time, world.frame, len(s.kinds), points, width,
                       *s.corner, *s.size, *s.centre(world.time), high, low, height)


# --- Clients ---------------------------------------------------------------------------------------------------------------------

class Client:
    """One connected page."""

    def __init__(self, world, reader, writer):
        self.world, self.reader, self.writer = world, reader, writer
        self.sequence = self.seen = 0
        self.sent_time = None
        self.candidate = None    # (request, body) that may be followed
        self.last = None         # (sequence, positions) of the last frame
        self.by, self.followed, self.again, self.camera, self.binaries = "type", None, True, 0, False

    async def serve(self):
        self.text(self.world.hello())
        if not self.world.arguments.snapshots:
            self.text({"type": "rows", "rows": [row(k) for k in range(self.rows())]})
        self.text(self.world.status())
        sender = asyncio.create_task(self.send_on())
        try:
            while (message := await self.receive()) is not None:
                print(json.dumps(message), flush=True)
                if not self.heard(message):
                    self.text({"type": "error", "message": f"the message {json.dumps(message)[:80]} is not understood"})
                    self.write(8, struct.pack(">H", 1008))
                    break
        finally:
            sender.cancel()
            self.writer.close()

    def rows(self):
        return 40 + int(self.world.time)

    async def send_on(self):
        rows, ticks = self.rows(), 0
        while True:
            if ticks % 15 == 0:
                self.text(self.world.status())
                while rows < self.rows() and not self.world.arguments.snapshots:
                    self.text(row(rows))
                    rows += 1
            ticks += 1
            news = self.last is None or self.again or self.world.time != self.sent_time
            if news and self.sequence - self.seen < UNSEEN:
                self.send_frame()
            await self.writer.drain()
            await asyncio.sleep(1 / 30)

    def send_frame(self):
        world = self.world
        self.sequence += 1
        self.sent_time = world.time
        if world.arguments.picture:
            self.again = False
            return self.write(2, self.picture())
        q, change = world.quantised(), None
        if not self.again and self.last and self.sequence % KEYS_EVERY:
            try:
                change = array.array("b", map(int.__sub__, q, self.last[1]))
            except OverflowError:
                change = None  # too far for eight bits: a key frame
        colours, low, high = world.colours[self.by] or (b"", 0, 0)
        flags = (1 if colours else 0) | 2
        base = 0 if change is None else self.last[0]
        self.last, self.again = (self.sequence, q), False
        self.write(2, header(KEY if change is None else DELTA, flags, self.sequence, base, world, len(q) // 3, low, high)
                   + (q if change is None else change).tobytes() + colours + world.scene.kinds)
        if self.followed:
            self.text(self.picked(*self.followed))
        if self.binaries:
            places = [self.world.place(q, i) for i in range(2 * BINARIES)]
            self.text({"type": "binaries", "time": world.time, "binaries": BINARIES, "hierarchies": 0,
                       "pairs": [[*places[2 * k], *places[2 * k + 1]] for k in range(BINARIES)]})

    def picture(self):
        """A round cloud and a bright spot in the upper left quarter, so that upside down is told; and the innermost bodies as points."""
        width, height = 96, 64
        light = [1000 * math.exp(-((x - 48) ** 2 + (y - 32) ** 2) / 40) + (2000 if 20 <= x < 24 and 12 <= y < 16 else 0) for y in range(height) for x in range(width)]
        q = self.world.quantised()
        near = sorted(range(len(q) // 3), key=lambda i: sum(x * x for x in self.world.place(q, i)))[:NEAR]
        self.last = (self.sequence, q, near)
        points = array.array("H", [c for i in near for c in q[3 * i:3 * i + 3]]).tobytes() + bytes(self.world.scene.kinds[i] for i in near)
        return (header(PICTURE, 2, self.sequence, self.camera, self.world, len(near), width=width, height=height) + struct.pack(f"<{width * height}e", *light)
                + header(KEY, 2, self.sequence, 0, self.world, len(near)) + points)

    def picked(self, request, i):
        types = self.world.scene.types
        return {"type": "picked", "request": request, "id": 1000 + i, "kind": types[self.world.scene.kinds[i]], "mass": 1 / len(self.world.scene.kinds),
                "position": self.world.place(self.last[1], i), "velocity": [0.3, -0.1, 0.05], "time": self.world.time}

    def heard(self, message):
        """Returns whether the message was understood."""
        kind, world = message.get("type"), self.world
        snapshots = world.arguments.snapshots
        if kind == "seen":
            self.seen = max(self.seen, message["sequence"])
        elif kind == "key":
            self.again = True
        elif kind == "colour" and message["by"] in world.colours:
            self.by, self.again = message["by"], True
        elif kind == "camera":
            self.camera = message["number"]
            self.again |= world.arguments.picture
        elif kind == "pick":
            if self.sequence - 64 < message["sequence"] <= self.sequence and message["index"] < len(world.scene.kinds):
                i = message["index"]
                self.candidate = (message["request"], self.last[2][i] if world.arguments.picture else i)
                self.text(self.picked(*self.candidate))
            else:
                self.text({"type": "error", "message": "That frame is too old to pick a body from it."})
        elif kind == "follow":
            self.followed = None if message["request"] is None else self.candidate
        elif kind == "binaries":
            self.binaries, self.again = message["on"], True
        elif kind == "control" and message["do"] in ("pause", "resume", "step", "stop"):
            if not world.arguments.control:
                self.text({"type": "error", "message": "this run was started without --live-control"})
            elif message["do"] == "step":
                world.frame += 1
            else:
                world.state = {"pause": "paused", "resume": "running", "stop": "stopped"}[message["do"]]
            self.text(world.status())
        elif kind == "show" and snapshots and 0 <= message["index"] < snapshots:
            world.index = message["index"]
            self.text(world.status())
        elif kind == "play" and snapshots:
            world.state = "running" if message["on"] else "paused"
            if message["on"] and world.index == snapshots - 1:
                world.index = 0
            self.text(world.status())
        else:
            return kind == "budget"
        return True

    # RFC 6455, as much as browsers send: masked, not fragmented.
    def write(self, opcode, payload):
        size = len(payload)
        length = bytes([size]) if size < 126 else b"\x7e" + struct.pack(">H", size) if size < 65536 else b"\x7f" + struct.pack(">Q", size)
        self.writer.write(bytes([0x80 | opcode]) + length + payload)

    def text(self, message):
        self.write(1, json.dumps(message, allow_nan=False).encode())

    async def receive(self):
        try:
            first, second = await self.reader.readexactly(2)
            size = second & 127
            if size == 126:
                size, = struct.unpack(">H", await self.reader.readexactly(2))
            mask, payload = await self.reader.readexactly(4), await self.reader.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        if first & 15 != 1 or size > 4096:
            return None
        return json.loads(bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))


# --- HTTP ------------------------------------------------------------------------------------------------------------------------

class Server:
    def __init__(self, arguments):
        self.arguments, self.world = arguments, World(arguments)
        self.files = {f"/{name}": os.path.join(arguments.page, name) for name in os.listdir(arguments.page) if os.path.splitext(name)[1] in TYPES}
        self.files["/"] = self.files["/index.html"]

    async def connected(self, reader, writer):
        try:
            lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return writer.close()
        target = lines[0].split(" ")[1]
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        path, _, query = target.partition("?")
        cookie = f"pleiad-{self.port}={self.arguments.token}"
        if path == "/" and query == f"token={self.arguments.token}":
            self.answer(writer, 303, extra=f"Location: /\r\nSet-Cookie: {cookie}; HttpOnly; SameSite=Strict; Path=/\r\n")
        elif cookie not in headers.get("cookie", ""):
            self.answer(writer, 401, b"The address of the live view has a token in it, which is missing here.")
        elif path == "/live" and headers.get("upgrade", "").lower() == "websocket":
            key = headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
            writer.write(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode())
            return await Client(self.world, reader, writer).serve()
        elif path in self.files:
            with open(self.files[path], "rb") as file:
                self.answer(writer, 200, file.read(), f"Content-Type: {TYPES[os.path.splitext(self.files[path])[1]]}; charset=utf-8\r\n")
        else:
            self.answer(writer, 404)
        writer.close()

    @staticmethod
    def answer(writer, code, body=b"", extra=""):
        writer.write(f"HTTP/1.1 {code} {http.HTTPStatus(code).phrase}\r\nContent-Length: {len(body)}\r\nContent-Security-Policy: {POLICY}\r\n"
                     f"X-Content-Type-Options: nosniff\r\nConnection: close\r\n{extra}\r\n".encode() + body)

    async def run(self):
        server = await asyncio.start_server(self.connected, "127.0.0.1", self.arguments.port)
        self.port = server.sockets[0].getsockname()[1]
        print(f"http://127.0.0.1:{self.port}/?token={self.arguments.token}", flush=True)
        while True:
            self.world.advance()
            if self.arguments.snapshots and self.world.state == "running":
                self.world.index += 1
                if self.world.index == self.arguments.snapshots - 1:
                    self.world.state = "paused"
            await asyncio.sleep(1 / 30)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--scene", choices=SCENES, default="plummer")
    parser.add_argument("--bodies", type=int, default=4000)
    parser.add_argument("--snapshots", type=int, default=0)
    parser.add_argument("--control", action="store_true")
    parser.add_argument("--follow", action="store_true")
    parser.add_argument("--picture", action="store_true")
    parser.add_argument("--title", default="")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token", default=secrets.token_hex(16))
    try:
        asyncio.run(Server(parser.parse_args()).run())
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
