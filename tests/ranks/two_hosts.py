"""Two hosts with TCP between them: network namespaces with names of their own. The same bits, and a link that fails, a rank that is killed, a rank that hangs."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import program
from program import DT, LONG_SCENE, PATIENCE, PROGRAM, arguments, need, need_good_checkpoint, outputs, run, started, summary

SKIPPED = 77
TREE = 'engine.kernel="cpu/fmm order=4 theta=0.6"'
SETTINGS = [f"limits.hang_seconds={4 * PATIENCE}", TREE]


class Hosts:
    """Two of them. `program.MPIRUN` starts two ranks on the first and one on the second."""

    def __init__(self, folder):
        number = os.getpid() % 100000
        self.names = [f"pleiad-{number}-{which}" for which in "ab"]
        self.links = [f"pl{number}{which}" for which in "ab"]
        self.net = f"10.{80 + number % 100}.{number % 250}"
        self.folder = folder

    def ip(self, *arguments_of_ip):
        subprocess.run(["ip", *arguments_of_ip], check=True, capture_output=True, text=True)

    def __enter__(self):
        for name in self.names:
            self.ip("netns", "add", name)
        self.ip("link", "add", self.links[0], "type", "veth", "peer", "name", self.links[1])
        for which, (name, link) in enumerate(zip(self.names, self.links)):
            self.ip("link", "set", link, "netns", name)
            self.ip("-n", name, "addr", "add", f"{self.net}.{which + 1}/24", "dev", link)
            self.ip("-n", name, "link", "set", link, "up")
            self.ip("-n", name, "link", "set", "lo", "up")
        # In place of ssh: HOST COMMAND ...
        agent = self.folder / "agent"
        agent.write_text(f"#!/bin/sh\nshift\nexec {shlex.join(self.inside(1))} sh -c \"$*\"\n")
        agent.chmod(0o755)
        of_net = f"{self.net}.0/24"
        launcher = [*self.inside(0), "mpirun", "--host", f"{self.net}.1:2,{self.net}.2:1", "--mca", "plm_rsh_agent", str(agent),
                    "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", of_net, "--mca", "oob_tcp_if_include", of_net, "-n"]
        program.MPIRUN[:] = launcher
        return self

    def inside(self, which):
        """What starts the command that follows on a host."""
        return ["ip", "netns", "exec", self.names[which], "unshare", "--uts", "sh", "-c", f'hostname {self.names[which]}; exec "$@"', "sh"]

    def cut(self):
        self.ip("-n", self.names[1], "link", "set", self.links[1], "down")

    def join(self):
        self.ip("-n", self.names[1], "link", "set", self.links[1], "up")

    def processes(self, which):
        """The ranks on a host."""
        all_of_it = subprocess.run(["ip", "netns", "pids", self.names[which]], capture_output=True, text=True, check=False).stdout.split()
        return [int(pid) for pid in all_of_it if pathlib.Path(f"/proc/{pid}/exe").exists() and os.path.realpath(f"/proc/{pid}/exe") == str(PROGRAM.resolve())]

    def __exit__(self, *_):
        for which, name in enumerate(self.names):
            for pid in self.processes(which):
                os.kill(pid, signal.SIGKILL)
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)


def same_bits(base, scene):
    for name, kernel in (("direct", 'engine.kernel="cpu/symmetric"'), ("tree", TREE)):
        settings = [kernel, f"time.t_end={6 * DT}"]
        alone, two = base / f"{name}-alone", base / f"{name}-two"
        run(0, arguments(scene, alone, settings))
        run(3, arguments(scene, two, settings))
        need(outputs(two) == outputs(alone), f"{name}: other files than one process")
        need(summary(two)["state_hash"] == summary(alone)["state_hash"], f"{name}: another hash than one process")


def all_gone(hosts, name):
    for _ in range(round(600 * PATIENCE)):
        if not hosts.processes(0) + hosts.processes(1):
            return
        time.sleep(0.1)
    sys.exit(f"{name}: ranks are left on the hosts: {hosts.processes(0)} {hosts.processes(1)}")


def ended(hosts, name, launcher, words=()):
    _, text = launcher.communicate(timeout=120 * PATIENCE)
    need(launcher.returncode != 0, f"{name}: the run has ended well")
    need(all(word in text for word in words), f"{name}: {text}")
    all_gone(hosts, name)


def main():
    if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("unshare"):
        print("skipped: two hosts need root, ip and unshare")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        scene = base / "scene.toml"
        scene.write_text(LONG_SCENE)
        try:
            hosts = Hosts(base).__enter__()
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"skipped: no network namespaces here: {error}")
            sys.exit(SKIPPED)
        try:
            same_bits(base, scene)
            directories = []
            directory, launcher, _ = started(base, "link", scene, SETTINGS)
            hosts.cut()
            all_gone(hosts, "link")
            hosts.join()  # mpirun itself waits for the other host as long as the link is cut
            time.sleep(1)
            launcher.terminate()
            ended(hosts, "link", launcher, ["hangs"])
            directories.append(directory)
            for name, what, words in (("killed", signal.SIGKILL, ()), ("hung", signal.SIGSTOP, ("hangs",))):
                directory, launcher, _ = started(base, name, scene, SETTINGS)
                os.kill(hosts.processes(1)[0], what)
                ended(hosts, name, launcher, words)
                directories.append(directory)
            for directory in directories:
                need_good_checkpoint(3, base, scene, directory, TREE)
        finally:
            hosts.__exit__()
    print("two hosts: the same bits; a cut link, a killed rank and a hung rank end the run, and its last checkpoint is good")


main()
