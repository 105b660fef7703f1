"""A browser as far as a server can tell: HTTP and WebSocket through plain sockets, with Python's standard library alone."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import base64
import json
import os
import re
import socket
import struct
import subprocess
import time

HEADER = struct.Struct("<IBBHIIdQQII3f3f3fffI")
NAMES = ("magic kind flags stride sequence base time step bodies points width cx cy cz sx sy sz ox oy oz high low height").split()
KEY, DELTA, PICTURE = 0, 1, 2
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Program:
    """`pleiad ...` that serves a live view, until its end."""

    def __init__(self, pleiad, *arguments, cwd=None):
        self.process = subprocess.Popen([pleiad, *map(str, arguments)], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, "XDG_CACHE_HOME": "/dev/null"})
        self.said = ""
        while not (found := re.search(r"http://(\S+):(\d+)/\?token=([0-9a-f]{32})", self.said)):
            line = self.process.stderr.readline()
            if not line:
                raise AssertionError(f"no address is printed: {self.said}")
            self.said += line
        self.host, self.port, self.token = found[1], int(found[2]), found[3]

    def wait(self):
        """Its exit code and its standard output."""
        out, err = self.process.communicate(timeout=300)
        self.said += err
        return self.process.returncode, out

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


class Answer:
    def __init__(self, raw):
        head, _, self.body = raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1]) if raw else 0  # 0: closed without a word
        self.fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}


def exchange(port, request, host="127.0.0.1", timeout=120):
    """The answer to these bytes."""
    with socket.create_connection((host, port), timeout=timeout) as s:
        try:
            s.sendall(request)
        except OSError:
            pass
        raw = b""
        try:
            while piece := s.recv(65536):
                raw += piece
        except ConnectionResetError:
            pass
    return Answer(raw)


def request(port, target="/", method="GET", **fields):
    """The bytes of a request. Fields are written with _ for -; a field that is None is left out."""
    fields = {"Host": f"127.0.0.1:{port}", **{name.replace("_", "-"): value for name, value in fields.items()}}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value is not None)
    return f"{method} {target} HTTP/1.1\r\n{lines}\r\n".encode("latin-1")


def upgrade(port, token, target="/live", **changes):
    fields = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13", "Sec_WebSocket_Key": base64.b64encode(b"0123456789abcdef").decode(),
              "Origin": f"http://127.0.0.1:{port}", "Cookie": f"pleiad-{port}={token}", **changes}
    return request(port, target, **fields)


class Frame:
    def __init__(self, data):
        self.__dict__.update(zip(NAMES, HEADER.unpack_from(data)))
        self.size = len(data)
        self.rest = data[HEADER.size:]


class Browser:
    """An open socket. What comes is kept until it is asked for."""

    def __init__(self, program, receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(120)
        self.socket.connect((program.host, program.port))
        self.socket.sendall(upgrade(program.port, program.token))
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.socket.recv(4096)
        head, _, self.bytes = self.bytes.partition(b"\r\n\r\n")
        self.status = int(head.split()[1])

    def send_frame(self, first, payload=b"", mask=b"\x01\x02\x03\x04", length=None):
        """`first`: FIN, RSV and opcode. `length`: the bytes of the length that are sent instead of the right ones."""
        size = len(payload)
        if length is None:
            length = bytes([size]) if size < 126 else b"\x7e" + struct.pack(">H", size) if size < 65536 else b"\x7f" + struct.pack(">Q", size)
        if mask:
            length = bytes([length[0] | 0x80]) + length[1:]
            payload = bytes(b ^ mask[i % 4] for i, b in enumerate(payload))
        self.socket.sendall(bytes([first]) + length + (mask or b"") + payload)

    def say(self, **message):
        self.send_frame(0x80 | TEXT, json.dumps(message).encode())

    def take(self, count):
        while len(self.bytes) < count:
            piece = self.socket.recv(1 << 20)
            if not piece:
                raise ConnectionError("closed")
            self.bytes += piece
        piece, self.bytes = self.bytes[:count], self.bytes[count:]
        return piece

    def receive(self):
        """(opcode, payload) of the next message; pings are answered."""
        while True:
            first, size = self.take(2)
            if size == 126:
                size = struct.unpack(">H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8))[0]
            payload = self.take(size)
            if first & 15 == PING:
                self.send_frame(0x80 | PONG, payload)
            else:
                return first & 15, payload

    def close_code(self):
        """The code with which the server closes; 0 when it goes without a word."""
        try:
            while True:
                opcode, payload = self.receive()
                if opcode == CLOSE:
                    return struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 1005
        except OSError:
            return 0

    def text(self, kind):
        """The next text of this type; frames before it are seen."""
        while True:
            opcode, payload = self.receive()
            if opcode == TEXT and json.loads(payload)["type"] == kind:
                return json.loads(payload)
            if opcode == BINARY:
                self.say(type="seen", sequence=Frame(payload).sequence)
            if opcode == CLOSE:
                raise ConnectionError(f"closed before '{kind}'")

    def frame(self):
        """The next frame, which is then seen."""
        while True:
            opcode, payload = self.receive()
            if opcode == BINARY:
                frame = Frame(payload)
                self.say(type="seen", sequence=frame.sequence)
                return frame
            if opcode == CLOSE:
                raise ConnectionError("closed before a frame")

    def close(self):
        self.socket.close()


def until(condition, seconds=120):
    """Waits until `condition()` holds; whether it does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
