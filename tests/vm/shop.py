"""A site on the emulated machine, with nginx before it and a plan for it, and what is seen of both there."""

import json
import time

ROOT = "/srv/shop"
PLAN = "/srv/plan.json"
STATE = "/var/lib/hotset/state"
APPLY = f"hotset apply {PLAN} --root all={ROOT} --server unit:nginx"
# What an administrator writes to have `hotset run` follow the site's log.
SCENARIO = f"""
log = "/var/log/nginx/access.log"
[[node]]
name = "web"
memory = "64MiB"
server_memory = "16MiB"
[[store]]
name = "disk"
profile = "hdd"
[[site]]
name = "all"
match = "log:*"
store = "disk"
root = "{ROOT}"
"""
# nginx looks for a copy before the file.
NGINX = """
server {
    listen 80;
    root /;
    location / { try_files STATE/copies/all$uri ROOT$uri =404; }
}
"""
PLAN_BYTES = 8 << 20
# For what hotset does within two seconds elsewhere. Beside compilers, an emulated machine is much slower, and an
# NFS client looks for changes once a minute.
PATIENCE_SECONDS = 180
# Of the 314 files of the plan. How many a daemon chooses depends on what it has read of the log by then.
FEWEST_CHOSEN = 100

# The kernel adds up a group's counts once 64 pages a processor have changed, and locks pages 31 at a time.
UNCOUNTED_BYTES = 2 * (64 + 31) * 4096
FLOOR_BYTES = 8 << 20
# Properties that say how much memory a unit may have, and where they come from.
PROPERTIES = ["MemoryMin", "MemoryLow", "MemoryHigh", "MemoryMax", "DropInPaths", "BindPaths", "BindReadOnlyPaths"]


class Failed(Exception):
    """Something does not hold."""


def expect(claim, holds, seen=""):
    """Prints what was seen, and fails where the claim does not hold."""
    seen = f": {seen}"[:400] if seen != "" else ""
    print(f"  {'ok' if holds else 'NOT SO'}: {claim}{seen}", flush=True)
    if not holds:
        raise Failed(claim)


class Shop:
    """The site `shop` in /srv/shop, made from a log, and the plan that hotset makes of that log."""

    def __init__(self, machine):
        self.machine = machine
        self.root = ROOT
        if machine.run(f"test -e {PLAN}", check=False).returncode:
            self.make()
        self.paths = [file["path"] for file in json.loads(machine.read(f"cat {PLAN}"))["files"]]

    def make(self):
        """Makes the files and the plan. The files are written, and so cached, by somebody else than the server."""
        run = self.machine.run
        run("cd /srv && hotset generate zipf --objects 400 --working-set 16MiB --requests 4000 --files www --log access.log"
            f" && mv www/zipf {ROOT} && chown -R www-data:www-data {ROOT} && sync")
        run(f"cd /srv && hotset plan --memory {PLAN_BYTES} --root all={ROOT} -o {PLAN} access.log")
        self.serve()

    def serve(self):
        """Has nginx serve the site."""
        config = NGINX.replace("STATE", STATE).replace("ROOT", self.root)
        self.machine.run("cat > /etc/nginx/sites-available/default && nginx -s reload", input=config)

    def apply(self, *more, plan=PLAN, unit="nginx"):
        """Applies a plan; what it prints."""
        line = f"hotset apply {plan} --root all={self.root} --server unit:{unit} --json {' '.join(more)}"
        done = self.machine.run(line, check=False)
        expect("apply ends with exit code 0", done.returncode == 0,
               done.stderr.strip() or done.returncode)
        return json.loads(done.stdout)

    def status(self):
        """Exit code and what it prints."""
        done = self.machine.run("hotset status --json", check=False)
        return done.returncode, json.loads(done.stdout)

    def release(self):
        """Takes everything back, and looks for what is left."""
        released = json.loads(self.machine.read("hotset release --json"))
        expect("release leaves nothing that it could not undo", released["left"] == [], released["left"])
        self.nothing_is_held()

    def nothing_is_held(self):
        """Looks for what hotset makes to hold files."""
        expect("no state folder is left", self.machine.run(f"test -e {STATE}", check=False).returncode)
        expect("no process of hotset's is left", self.machine.read("pgrep -c hotset || true") == "0")
        expect("no unit of hotset's is left", self.machine.read("systemctl list-units --all --plain --no-legend 'hotset*'") == "")
        expect("no mount of hotset's is left", "hotset" not in self.machine.read("cat /proc/*/mounts 2>/dev/null"))

    def copies_are_withdrawn(self):
        """Waits until no copy can be looked up."""
        started = time.monotonic()
        while self.machine.run(f"findmnt {STATE}/copies", check=False).returncode == 0:
            if time.monotonic() - started > PATIENCE_SECONDS:
                break
        expect("no copy is served", self.machine.run(f"findmnt {STATE}/copies", check=False).returncode,
               f"after {time.monotonic() - started:.1f} s")

    def ask_for_all(self):
        """Asks nginx for every planned file."""
        self.machine.run("sed s,^,http://localhost, | xargs curl -sf > /dev/null", input="\n".join(self.paths))

    def chosen_files_are_held(self, ask):
        """Waits until a daemon holds what it has chosen, asking for files meanwhile or not; how many bytes of memory that takes."""
        started = time.monotonic()
        while True:
            if ask:
                self.ask_for_all()
            status = self.machine.run("hotset status --json", check=False)
            held = json.loads(status.stdout)["sites"] if status.returncode == 0 else []
            objects = sum(site["held"]["objects"] for site in held)
            took = time.monotonic() - started
            if objects >= FEWEST_CHOSEN or took > PATIENCE_SECONDS:
                break
        expect("the daemon holds files that are asked for", objects >= FEWEST_CHOSEN, f"{objects} after {took:.1f} s")
        return json.loads(status.stdout)["memory"]["held_bytes"]

    def chosen_by_the_unit(self, before):
        """Waits until what a unit has planned by itself is held, in nginx' name."""
        started = time.monotonic()
        while self.status()[0] and time.monotonic() - started < PATIENCE_SECONDS:
            pass
        code, status = self.status()
        held = status["sites"][0]["held"]["objects"] if code == 0 else 0
        expect("what the unit planned is held", held >= FEWEST_CHOSEN, f"{held} files" if code == 0 else status)
        self.charged(status["memory"]["held_bytes"], before)
        self.holders_are_safe()
        self.serves()

    def is_held(self):
        """Waits until status finds everything held; how many bytes of memory that takes."""
        started = time.monotonic()
        while True:
            code, status = self.status()
            took = time.monotonic() - started
            if code == 0 or took > PATIENCE_SECONDS:
                break
        expect("status ends with exit code 0", code == 0, f"after {took:.1f} s" if code == 0 else status)
        held = status["sites"][0]["held"]["objects"]
        expect("all files of the plan are held", held == len(self.paths), f"{held} of {len(self.paths)}")
        return status["memory"]["held_bytes"]

    def group(self, unit="nginx"):
        """The folder of a unit's control group."""
        return "/sys/fs/cgroup" + self.machine.read(f"systemctl show --property=ControlGroup --value {unit}")

    def kept_bytes(self):
        """Memory charged to nginx that the kernel cannot evict: locked files, and where there is no swap also a tmpfs' files."""
        return int(self.machine.read("awk '$1 == \"unevictable\" || $1 == \"shmem\" {sum += $2} END {print sum}'"
                                     f" {self.group()}/memory.stat"))

    def charged(self, held_bytes, before=0):
        """The kernel charges nginx what is held, beside what it charged before."""
        grown = self.kept_bytes() - before
        expect("nginx' group pays for what is held", abs(grown - held_bytes) <= UNCOUNTED_BYTES,
               f"{grown} bytes that cannot be evicted, {held_bytes} held")

    def restart(self, deed="systemctl restart nginx"):
        """nginx is started anew, and all is placed again."""
        group = self.read_inode()
        self.machine.run(deed)
        expect(f"`{deed}` makes a new group", self.read_inode() != group)
        # The guardian looks once a second.
        time.sleep(1)
        self.charged_within_patience()
        self.holders_are_safe()
        self.serves()

    def charged_within_patience(self):
        """Waits until the new group pays for everything."""
        started = time.monotonic()
        while True:
            code, status = self.status()
            held = status["memory"]["held_bytes"]
            is_there = code == 0 and self.kept_bytes() >= held - UNCOUNTED_BYTES
            took = time.monotonic() - started
            if is_there or took > PATIENCE_SECONDS:
                break
        expect("everything is placed again", is_there, f"within {took + 1:.1f} s of emulated time" if is_there else status)
        self.charged(held)

    def read_inode(self):
        """What tells nginx' group from the next of that name."""
        return self.machine.read(f"stat -c %i {self.group()}")

    def kernel(self):
        """The kernel's version."""
        return tuple(int(part) for part in self.machine.read("uname -r").split(".")[:2])

    def workers(self):
        """Process ids of those that hold files."""
        return [worker["pid"] for worker in self.state()["workers"]]

    def state(self):
        """What hotset has written down."""
        return json.loads(self.machine.read(f"cat {STATE}/runs/guardian/state.json"))

    def holders_are_safe(self):
        """systemd kills what is in a unit's group when it stops the unit; nothing of hotset's is there."""
        processes = [*self.workers(), self.state()["guardian"]["pid"]]
        groups = {self.machine.read(f"cut -d: -f3 /proc/{pid}/cgroup") for pid in processes}
        expect("no process of hotset's is in nginx' unit", not any("nginx.service" in group for group in groups), groups)

    def properties(self):
        """What systemd says of nginx and of all above it."""
        names = " ".join(f"-p {name}" for name in PROPERTIES)
        return self.machine.read(f"systemctl show {names} nginx.service system.slice -- -.slice"
                                 " && find /etc/systemd/system.control /run/systemd/system.control /run/systemd/transient"
                                 " -type f 2>/dev/null | sort")

    def digests(self):
        """What nginx answers for every planned file, and what these files are."""
        paths = "\n".join(self.paths)
        return [self.machine.run(f"sed s,^,{where}, | xargs {read} | sha256sum", input=paths).stdout
                for where, read in [("http://localhost", "curl -sf"), (ROOT, "cat")]]

    def serves(self):
        """nginx answers with the bytes of every planned file."""
        served, there = self.digests()
        expect("nginx serves every planned file as it is", served == there, served[:16])

    def serves_within_patience(self):
        """nginx answers with the new bytes of a file that has changed."""
        started = time.monotonic()
        while len(set(self.digests())) > 1 and time.monotonic() - started < PATIENCE_SECONDS:
            pass
        self.serves()

    def plan_of_everything(self):
        """A plan that holds all files of the site; its file."""
        plan = json.loads(self.machine.read(f"cat {PLAN}")) | {"memory_bytes": 40 << 20}
        every = self.machine.read(f"cd {ROOT} && find . -type f | sed s,^.,,").split()
        file = plan["files"][0]
        plan["files"] = [file | {"path": path, "order": order} for order, path in enumerate(every)]
        self.machine.run("cat > /srv/everything.json", input=json.dumps(plan))
        return "/srv/everything.json"

    def takes_at_once(self, size):
        """A process in nginx' group takes so many bytes of its own and keeps them."""
        self.machine.run(f"sh -c 'echo $$ > {self.group()}/cgroup.procs; exec setsid sh -c"
                         f" \"(head -c {size} /dev/zero; sleep 600) | tail\" > /dev/null 2>&1 < /dev/null &'")

    def gives_way(self, held):
        """Waits until files are given up for room, and nothing else is wrong; nobody was killed."""
        started = time.monotonic()
        while True:
            code, status = self.status()
            fewer = status["sites"][0]["held"]["objects"] < held
            fewer = fewer and all("no room" in problem["problem"] for problem in status["problems"])
            if (code == 3 and fewer) or time.monotonic() - started > PATIENCE_SECONDS:
                break
        expect("the least valuable files are given up", code == 3 and fewer, f"{status['sites'][0]} instead of {held}")
        events = self.machine.read(f"cat {self.group()}/memory.events")
        expect("the kernel has killed nobody", "oom_kill 0" in events, events)
        self.machine.run("pkill -x tail; pkill -x sleep", check=False)

    def plan_with_group(self):
        """The plan, with a memory group for the site; its file."""
        plan = json.loads(self.machine.read(f"cat {PLAN}"))
        group = {"node": plan["files"][0]["node"], "site": "all", "memory_bytes": 4 * FLOOR_BYTES, "floor_bytes": FLOOR_BYTES}
        self.machine.run("cat > /srv/grouped.json", input=json.dumps(plan | {"groups": [group]}))
        return "/srv/grouped.json"

    def floors(self):
        """What the kernel guarantees nginx and the slice above it, and where it begins to slow them down."""
        groups = [self.group(unit) for unit in ["nginx", "system.slice"]]
        files = [f"{group}/memory.{name}" for group in groups for name in ["min", "low", "high", "max"]]
        return self.machine.read(f"grep -H . {' '.join(files)}")

    def has_floors(self, deed, unit="nginx"):
        """After a deed, a unit and all above it have the floor, and one that is never broken for what cannot be given back."""
        groups = [self.group(unit), self.group("system.slice")]
        line = "cat " + " ".join(f"{group}/memory.low" for group in groups)
        started = time.monotonic()
        while True:
            floors = self.machine.read(line).replace("max", str(1 << 62)).split()
            if all(int(floor) >= FLOOR_BYTES for floor in floors) or time.monotonic() - started > PATIENCE_SECONDS:
                break
        expect(f"{unit} and the slice above it have the floor after `{deed}`",
               all(int(floor) >= FLOOR_BYTES for floor in floors), floors)
        never = self.machine.read(line.replace("memory.low", "memory.min")).split()
        expect("part of it is never broken", all(0 < int(part) <= int(floor) for part, floor in zip(never, floors)), never)

    def page_cache_after_a_scan(self):
        """Bytes of page cache that nginx keeps while somebody else reads more than the machine's memory."""
        # What nginx read before it was started anew is charged to a group that is gone.
        self.machine.run("sync && echo 1 > /proc/sys/vm/drop_caches")
        everything = self.machine.read(f"cd {ROOT} && find . -type f | sed s,^.,http://localhost,")
        self.machine.run("xargs curl -sf > /dev/null", input=everything)
        # Again: what is read once only is the first to go.
        self.machine.run("truncate -s 1200M /srv/scan && cat /srv/scan /srv/scan /srv/scan > /dev/null && rm /srv/scan")
        return int(self.machine.read(f"awk '$1 == \"file\" {{print $2}}' {self.group()}/memory.stat"))

    def move_to_nfs(self):
        """Serves the site over NFS v4 from this machine itself, and gives nginx mounts of its own."""
        self.root = "/mnt/shop"
        run = self.machine.run
        # A server lets nobody open files while clients of its last start may come back, for 90 s by default.
        run("mkdir -p /etc/nfs.conf.d && printf '[nfsd]\\ngrace-time=10\\nlease-time=10\\n' > /etc/nfs.conf.d/grace.conf")
        run(f"echo '{ROOT} localhost(rw,no_root_squash,insecure,fsid=0)' > /etc/exports && systemctl restart nfs-server"
            f" && mkdir -p {self.root} && mount -t nfs4 localhost:/ {self.root}")
        run("mkdir -p /etc/systemd/system/nginx.service.d && printf '[Service]\nPrivateMounts=yes\n'"
            " > /etc/systemd/system/nginx.service.d/mounts.conf && systemctl daemon-reload && systemctl restart nginx")
        self.serve()

    def leave_nfs(self):
        """Serves the site from its own folder again."""
        self.root = ROOT
        self.serve()
        self.machine.run("rm -r /etc/systemd/system/nginx.service.d && systemctl daemon-reload && systemctl restart nginx"
                         " && umount /mnt/shop && systemctl stop nfs-server")

    def nfs_reads(self):
        """Reads that the NFS client has asked the server for since the machine started."""
        return int(self.machine.read("nfsstat -c -4 -l | awk '$4 == \"read:\" {print $5}'") or 0)
