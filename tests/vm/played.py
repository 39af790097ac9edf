"""Runs in the emulated machine: does what a work says on mounts of NFS, and prints what was counted, as JSON.

Takes an order from standard input: {"work": text, "version": "3" or "4.2", "options": of the mount}. A work is what
`hotset simulate files` takes. Clients beside the first have a network and a host name of their own, so that the server takes
them for other machines."""

import json
import mmap
import os
import re
import subprocess
import sys
import time
from pathlib import Path

EXPORT = Path("/srv/export")
MOUNTS = Path("/mnt/played")
FIRST = "web1"
UNITS = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
# Calls of mounting and unmounting, which are not counted.
OF_MOUNTING = {"null", "fsinfo", "pathconf", "fsstat", "statfs", "exchange_id", "create_session", "destroy_session",
               "destroy_clientid", "server_caps", "lookup_root", "reclaim_complete", "secinfo_no_name", "get_lease_time"}
# As `nfsstat -c` has them.
SHORT = {"open_noattr": "open_noat", "open_downgrade": "open_dgrd", "open_confirm": "open_conf"}
# What Ethernet puts before a packet; the loopback interface has none.
ETHERNET = 14
# An acknowledgement waits for 40 ms at most; a CLOSE is not waited for.
SETTLE_SECONDS = 0.5
LEAST_SLEEP = 0.02


def shell(line):
    """Runs a line of shell; what it prints."""
    return subprocess.run(line, shell=True, check=True, capture_output=True, text=True).stdout


def size(text):
    """Bytes of `4096` or `64KiB`."""
    number, unit = re.fullmatch(r"(\d+)(\w*)", text).groups()
    return int(number) * UNITS[unit]


class Client:
    """A client: its mount, its open files, and what it was counted to do."""

    def __init__(self, name, number, order):
        self.name, self.number, self.order = name, number, order
        self.folder = MOUNTS / name
        self.opened = {}
        self.calls = {}
        self.link = {"bytes": 0, "packets": 0}
        self.folder.mkdir(parents=True, exist_ok=True)
        self.server, self.inside = "127.0.0.1", ""
        if number:
            self.make_network()
        self.mount()
        if "mount-anew" in order["work"]:
            self.unmount()
            self.of_unmounting = self.unmounting_link
            self.mount()

    def make_network(self):
        """A network namespace whose packets are as large as those of the loopback interface."""
        net, address = f"net{self.number}", f"10.9.{self.number}"
        mac = [f"02:00:00:00:{self.number:02x}:0{end}" for end in (1, 2)]
        shell(f"ip netns add {net} && ip link add v{self.number} address {mac[0]} type veth peer name eth0 address {mac[1]} netns {net}"
              f" && sysctl -qw net.ipv6.conf.v{self.number}.disable_ipv6=1"
              f" && ip addr add {address}.1/24 dev v{self.number} && ip link set v{self.number} mtu 65535 up"
              f" && ip neigh replace {address}.2 lladdr {mac[1]} dev v{self.number} nud permanent"
              f" && nsenter --net=/run/netns/{net} sh -c 'sysctl -qw net.ipv6.conf.all.disable_ipv6=1; ip link set lo up;"
              f" ip addr add {address}.2/24 dev eth0; ip link set eth0 mtu 65535 up;"
              f" ip neigh replace {address}.1 lladdr {mac[0]} dev eth0 nud permanent'")
        self.server = f"{address}.1"
        self.inside = f"nsenter --net=/run/netns/{net} "

    def mount(self):
        """Mounts anew and begins to count."""
        # Nothing is locked; statd, which lock needs, is not there in a network of its own.
        options = ",".join([f"vers={self.order['version']},nolock", *self.order["options"]])
        shell(f"{self.inside}unshare --uts sh -c 'hostname {self.name}x && mount -t nfs -o {options} {self.server}:{EXPORT} {self.folder}'")
        time.sleep(SETTLE_SECONDS)
        self.began = self.counted()
        self.seen = self.began["calls"]

    def counted(self):
        """All counters as they are now."""
        return {"calls": self.operations(), "link": self.interface()}

    def operations(self):
        """Calls of the mount, by operation."""
        text = Path("/proc/self/mountstats").read_text().split(f" mounted on {self.folder} with ")[1].split("\ndevice ")[0]
        found = re.findall(r"^\s+([A-Z_0-9]+): (\d+) \d+ \d+ \d+ \d+", text, re.M)
        return {SHORT.get(name.lower(), name.lower()): int(count) for name, count in found}

    def interface(self):
        """Bytes and packets of the client's interface, in both directions, without Ethernet's headers."""
        device = "eth0" if self.number else "lo"
        text = shell(f"{self.inside}cat /proc/net/dev")
        values = [int(value) for value in re.search(rf"{device}:(.*)", text)[1].split()]
        received, sent = values[0:2], values[8:10]
        if not self.number:
            return {"bytes": sent[0], "packets": sent[1]}
        packets = received[1] + sent[1]
        return {"bytes": received[0] + sent[0] - ETHERNET * packets, "packets": packets}

    def add_up(self):
        """Adds what was counted since the last time to the results."""
        now, before = self.counted(), self.began
        self.add({name: count - before["calls"].get(name, 0) for name, count in now["calls"].items()})
        for name, value in now["link"].items():
            self.link[name] += value - before["link"][name]
        self.began = now

    def add(self, calls):
        """Adds calls to the results."""
        for name, count in calls.items():
            if count and name not in OF_MOUNTING:
                self.calls[name] = self.calls.get(name, 0) + count

    def unmount(self):
        """Unmounts, which has calls for what was written and for delegations."""
        self.add_up()
        before, link = procedures(), self.interface()
        shell(f"umount {self.folder}")
        time.sleep(SETTLE_SECONDS)
        self.unmounting = {name: count - before.get(name, 0) for name, count in procedures().items() if count > before.get(name, 0)}
        after = self.interface()
        self.unmounting_link = {name: after[name] - link[name] for name in after}

    def mount_anew(self):
        """Unmounts and mounts. Of the packets, those of unmounting what was not used are not counted."""
        self.unmount()
        for name, value in self.unmounting_link.items():
            self.link[name] += value - self.of_unmounting[name]
        self.add(self.unmounting)
        self.mount()

    def do(self, verb, words):
        """One operation."""
        getattr(self, verb.replace("-", "_"))(*words)

    def path(self, name):
        """Where a name of the work is."""
        return str(self.folder / name.strip("/"))

    def open(self, name, access, *flags):
        """Opens a file; one that is not there stays closed."""
        how = {"r": os.O_RDONLY, "w": os.O_WRONLY, "create": os.O_WRONLY | os.O_CREAT | os.O_TRUNC}[access]
        for flag in flags:
            how |= {"sync": os.O_SYNC, "direct": os.O_DIRECT, "append": os.O_APPEND}[flag]
        try:
            self.opened[name] = os.open(self.path(name), how, 0o644)
        except FileNotFoundError:
            pass

    def read(self, name, count):
        """Reads from where the last read ended, by one call."""
        os.readv(self.opened[name], [mmap.mmap(-1, size(count))])

    def read_at(self, name, offset, count):
        """Reads from an offset."""
        os.preadv(self.opened[name], [mmap.mmap(-1, size(count))], size(offset))

    def write(self, name, count):
        """Writes by one call."""
        buffer = mmap.mmap(-1, size(count))
        if os.writev(self.opened[name], [buffer]) != size(count):
            raise OSError(f"{name}: a short write")

    def fsync(self, name):
        """Puts a file on the disk."""
        os.fsync(self.opened[name])

    def close(self, name):
        """Closes a file."""
        os.close(self.opened.pop(name))

    def stat(self, name):
        """Asks for attributes."""
        try:
            os.stat(self.path(name))
        except FileNotFoundError:
            pass

    def readdir(self, name):
        """Reads all names of a folder."""
        os.listdir(self.path(name))

    def unlink(self, name):
        """Removes a file."""
        try:
            os.unlink(self.path(name))
        except FileNotFoundError:
            pass

    def rename(self, old, new):
        """Gives a file another name."""
        os.rename(self.path(old), self.path(new))

    def sleep(self, seconds):
        """Sleeps until the time that it would be if emulated operations took none, a few ticks of the kernel's clock at least."""
        self.order["slept"] += float(seconds)
        time.sleep(max(LEAST_SLEEP, self.order["began"] + self.order["slept"] - time.monotonic()))


def procedures():
    """Calls of all mounts, as `nfsstat -c` prints them, by name."""
    counts = {}
    for version in "34":
        words = shell(f"nfsstat -c -{version} -l").split("\n")
        for line in words:
            found = re.match(rf"nfs v{version} client\s+(\w+):\s+(\d+)", line)
            if found and found[1] != "total":
                counts[found[1]] = counts.get(found[1], 0) + int(found[2])
    return counts


def put_on_server(steps):
    """Makes the files that lie there before."""
    shell(f"rm -rf {EXPORT}/* && mkdir -p {EXPORT}")
    for folder, count, each in (words for verb, _, words in steps if verb == "on-server"):
        (EXPORT / folder).mkdir(parents=True, exist_ok=True)
        for number in range(int(count)):
            (EXPORT / folder / str(number)).write_bytes(bytes(size(each)))
    shell("sync")
    # A file that was just written has an old time of change when it is changed next; the kernel's clock ticks every 4 ms.
    time.sleep(SETTLE_SECONDS)


def steps_of(text):
    """Operation, client and words of each line."""
    steps = []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if words:
            name = words.pop(0)[:-1] if words[0].endswith(":") else FIRST
            steps.append((words[0], name, words[1:]))
    return steps


def clean_up():
    """Takes away mounts and networks of a run before."""
    for mounted in re.findall(rf" ({MOUNTS}\S*) ", Path("/proc/mounts").read_text()):
        shell(f"umount -f -l {mounted}")
    for net in re.findall(r"^net\d+", shell("ip netns list"), re.M):
        shell(f"ip netns del {net}")


def serve():
    """Starts the server, if it is not running, and waits until files can be opened."""
    Path("/etc/exports").write_text(f"{EXPORT} *(rw,sync,no_root_squash,no_subtree_check,insecure)\n")
    EXPORT.mkdir(parents=True, exist_ok=True)
    Path("/etc/nfs.conf.d").mkdir(exist_ok=True)
    Path("/etc/nfs.conf.d/grace.conf").write_text("[nfsd]\ngrace-time=10\n")
    # It would give these devices an address of the machine.
    folder = Path("/run/systemd/network")
    folder.mkdir(exist_ok=True)
    (folder / "10-played.network").write_text("[Match]\nName=v*\n[Link]\nUnmanaged=yes\n")
    shell("networkctl reload")
    if subprocess.run("systemctl is-active -q nfs-server", shell=True, check=False).returncode:
        shell("systemctl start nfs-server && sleep 15")
    shell("exportfs -ra")


def trace(clients, step):
    """Says on standard error which calls each client has made since the last step."""
    # A CLOSE is on its way when `close` returns.
    time.sleep(0.01)
    for client in clients.values():
        now = client.operations()
        new = {name: count - client.seen.get(name, 0) for name, count in now.items() if count > client.seen.get(name, 0)}
        client.seen = now
        print(f"{step} -> {client.name} {new}", file=sys.stderr)


def main():
    """Plays one work."""
    order = json.load(sys.stdin)
    # A service has no groups beside its own.
    os.setgroups([])
    steps = steps_of(order["work"])
    clean_up()
    serve()
    put_on_server(steps)
    names = [FIRST, *dict.fromkeys(name for _, name, _ in steps if name != FIRST)]
    clients = {name: Client(name, number, order) for number, name in enumerate(names)}
    order["began"], order["slept"] = time.monotonic(), 0
    for verb, name, words in steps:
        if verb != "on-server":
            clients[name].do(verb, words)
            if order.get("trace"):
                trace(clients, f"{name}: {' '.join([verb, *words])}")
    time.sleep(SETTLE_SECONDS)
    for client in clients.values():
        client.add_up()
    results = [{"name": client.name, "calls": client.calls, "link": client.link} for client in clients.values()]
    for client in clients.values():
        for descriptor in client.opened.values():
            os.close(descriptor)
        client.unmount()
    clean_up()
    json.dump({"clients": results}, sys.stdout)


main()
