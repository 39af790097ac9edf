"""Writes the works of this experiment into the folder `works`."""

import random
from pathlib import Path

WORKS = {}
# Two changes of a file within a tick of the server's clock are one to version 3: 4 ms with Debian's kernel.
PAUSE = "sleep 0.02"


def work(make):
    """Keeps a work under the name of its function; its comment comes first."""
    WORKS[make.__name__.replace("_", "-")] = make
    return make


def whole(path, each, step=None):
    """Opens a file, reads all of it, and closes it."""
    step = step or each
    return [f"open {path} r", *[f"read {path} {step}"] * -(-each // step), f"close {path}"]


def new(path, each, *more):
    """Makes a file, writes it, and closes it."""
    return [f"open {path} create", f"write {path} {each}", *more, f"close {path}"]


def listed(folder, count):
    """What `ls -l` asks for."""
    return [f"readdir {folder}", *[f"stat {folder}/{number}" for number in range(count)]]


@work
def many_files():
    """A program opens, reads and closes 300 files of 12 KiB."""
    return ["on-server data 300 12288", *sum([whole(f"data/{number}", 12288) for number in range(300)], [])]


@work
def reread_within():
    """Files are read again while their attributes hold."""
    once = sum([whole(f"data/{number}", 20000) for number in range(20)], [])
    stats = [f"stat data/{number}" for number in range(20)]
    return ["on-server data 20 20000", *once, *once, *stats, *once]


@work
def reread_past():
    """Files are read again, and asked for, when their attributes have become old."""
    once = sum([whole(f"data/{number}", 20000) for number in range(10)], [])
    stats = [f"stat data/{number}" for number in range(10)]
    return ["on-server data 10 20000", *once, "sleep 5", *stats, *once, "sleep 5", *stats, "sleep 14", *stats, "sleep 40", *once, *stats]


@work
def sequential_read():
    """A file of 48 MiB is read from its start to its end, 64 KiB at a time, and once more."""
    return ["on-server data 1 48MiB", *whole("data/0", 48 << 20, 65536), *whole("data/0", 48 << 20, 1 << 20)]


@work
def random_read():
    """400 pages of a file of 32 MiB are read in no order, then 100 stretches of 20 KiB."""
    choose = random.Random(1)
    pages = [f"read-at data/0 {choose.randrange(8192) * 4096} 4096" for _ in range(400)]
    stretches = [f"read-at data/0 {choose.randrange(6000) * 5000} 20480" for _ in range(100)]
    return ["on-server data 1 32MiB", "open data/0 r", *pages, *stretches, "close data/0"]


@work
def write_fsync():
    """A database's file: 96 writes of 16 KiB, each eighth put on the disk, and 40 small ones put there at once."""
    steps = ["on-server data 0 0", "open data/db create"]
    for number in range(96):
        steps += ["write data/db 16384", *["fsync data/db"] * (number % 8 == 7)]
    return [*steps, *["write data/db 200", "fsync data/db"] * 40, "close data/db"]


@work
def large_write():
    """A file of 24 MiB is written 1 MiB at a time, and one of 3 MiB 5000 bytes at a time."""
    return ["on-server data 0 0", "open data/a create", *["write data/a 1MiB"] * 24, "close data/a",
            "open data/b create", *["write data/b 5000"] * 600, "close data/b"]


@work
def append():
    """A log: lines are put behind its end, and it is closed after every tenth."""
    steps = ["on-server logs 1 10000"]
    for _ in range(12):
        steps += ["open logs/0 w append", *["write logs/0 130"] * 10, "close logs/0"]
    return [*steps, "open logs/1 create append", *["write logs/1 150", "sleep 0.5"] * 37, "close logs/1"]


@work
def create_unlink():
    """40 files are made, looked at, read and removed, four times."""
    steps = ["on-server spool 0 0"]
    for batch in range(4):
        names = [f"spool/m{batch * 40 + number}" for number in range(40)]
        steps += sum([new(name, 3000) for name in names], []) + [f"stat {name}" for name in names]
        steps += sum([whole(name, 3000) for name in names], []) + [f"unlink {name}" for name in names]
    return steps


@work
def list_24():
    """`ls -l` of a folder of 24 files, again at once, and again after 35 s."""
    once = listed("data", 24)
    return ["on-server data 24 100", *once, *once, "sleep 35", *once]


@work
def list_25():
    """`ls -l` of a folder of 25 files, again at once, and again after 35 s."""
    once = listed("data", 25)
    return ["on-server data 25 100", *once, *once, "sleep 35", *once]


@work
def list_1000():
    """`ls -l` of a folder of 1000 files, again at once, and again after 35 s."""
    once = listed("data", 1000)
    return ["on-server data 1000 100", *once, *once, "sleep 35", *once]


@work
def names_of_3000():
    """`ls` of a folder of 3000 files, twice, then one file is made and it is listed again."""
    return ["on-server data 3000 0", "readdir data", "readdir data", *new("data/new", 10), "readdir data"]


@work
def rename():
    """100 files are replaced, each by one that is written beside it, put on the disk and given its name."""
    steps = ["on-server data 100 4000"]
    for number in range(100):
        steps += [*new(f"data/{number}.new", 5000, f"fsync data/{number}.new"), PAUSE, f"rename data/{number}.new data/{number}"]
    return steps + sum([whole(f"data/{number}", 5000) for number in range(0, 100, 5)], [])


@work
def two_clients():
    """Two clients change one file in turn, and each reads what the other wrote."""
    steps = ["on-server data 1 8000"]
    for _ in range(12):
        steps += [*whole("data/0", 8192), *[f"web2: {step}" for step in whole("data/0", 8192)],
                  "open data/0 w", "write data/0 6000", "close data/0",
                  *[f"web2: {step}" for step in whole("data/0", 8192)], *whole("data/0", 8192),
                  "web2: open data/0 w append", "web2: write data/0 100", "web2: close data/0"]
    return steps


@work
def two_readers():
    """Two clients read the same 60 files, twice."""
    steps = ["on-server data 60 9000"]
    for _ in range(2):
        for number in range(60):
            once = whole(f"data/{number}", 9000)
            steps += [*once, *[f"web2: {step}" for step in once]]
    return steps


@work
def watched_log():
    """One client writes a log that another one looks at."""
    steps = ["on-server logs 1 100", "open logs/0 w append"]
    for _ in range(20):
        steps += ["write logs/0 500", "fsync logs/0", "web2: stat logs/0", "sleep 1.4", *[f"web2: {step}" for step in whole("logs/0", 16384)]]
    return [*steps, "close logs/0"]


@work
def web_day():
    """A web server's day in four minutes: 1000 requests for 300 files, a log that stays open, two rushes and a pause."""
    choose = random.Random(2)
    weights = [1 / (rank + 1) for rank in range(300)]
    steps = ["on-server www 300 9000", "on-server logs 0 0", "open logs/access create append"]
    for requests, pause in [(250, 0.25), (250, 0.1), (100, 0.7), (300, 0.1), (100, 0.22)]:
        for number in choose.choices(range(300), weights, k=requests):
            steps += [f"stat www/{number}", *whole(f"www/{number}", 9000), "write logs/access 120", f"sleep {pause}"]
    return [*steps, "close logs/access"]


@work
def build():
    """A build: 24 sources and what they include are read, names are searched in three folders, objects are made, one is linked."""
    choose = random.Random(3)
    steps = ["on-server src 24 14000", "on-server include 60 6000", "on-server local 0 0", "on-server obj 0 0"]
    for source in range(24):
        steps += [f"stat src/{source}", f"stat obj/{source}.o", *whole(f"src/{source}", 14000)]
        for header in choose.sample(range(60), 8):
            steps += [f"open src/{header}.h r", f"open local/{header} r", *whole(f"include/{header}", 6000)]
        steps += [*new(f"obj/{source}.tmp", 22000), PAUSE, f"rename obj/{source}.tmp obj/{source}.o"]
    steps += ["readdir obj", "open obj/program.tmp create"]
    for source in range(24):
        steps += [*whole(f"obj/{source}.o", 22000), "write obj/program.tmp 21000"]
    steps += ["close obj/program.tmp", "rename obj/program.tmp obj/program"]
    # The next build, later, looks what has changed.
    return steps + ["sleep 50"] + [f"stat src/{source}" for source in range(24)] + [f"stat obj/{source}.o" for source in range(24)]


@work
def direct():
    """Reads and writes past the page cache."""
    return ["on-server data 1 4MiB", "open data/0 r direct", *[f"read-at data/0 {at * 65536} 16384" for at in range(50)],
            "read-at data/0 0 1MiB", "close data/0", "open data/1 create direct", *["write data/1 16384"] * 30, "write data/1 1MiB", "close data/1"]


@work
def synchronous():
    """Writes that return when they are on the server's disk."""
    return ["on-server data 1 100000", "open data/0 w sync", *["write data/0 1000"] * 60, "close data/0",
            "open data/1 create sync", *["write data/1 300000"] * 8, "close data/1"]


@work
def overwrite():
    """Parts of pages of files that are there are written, and read before and after."""
    steps = ["on-server data 10 50000"]
    for number in range(10):
        file = f"data/{number}"
        steps += [*whole(file, 50000), f"open {file} w", *[f"write {file} 1500"] * 10, f"close {file}", *whole(file, 50000)]
    return steps


@work
def dirty_for_long():
    """Files stay open with what was written to them until the kernel writes it."""
    steps = ["on-server data 0 0"]
    for number in range(5):
        steps += [f"open data/f{number} create", f"write data/f{number} 30000"]
    steps += ["sleep 20", "write data/f0 5000", "sleep 20", "write data/f1 5000", "sleep 45"]
    return steps + [f"close data/f{number}" for number in range(5)]


@work
def removed_open():
    """20 files are removed while they are open, 20 that are not there are asked for."""
    steps = ["on-server data 20 5000"]
    for number in range(20):
        file = f"data/{number}"
        steps += [f"open {file} r", f"unlink {file}", "sleep 0.3", f"read {file} 5000", f"close {file}", "sleep 0.3", f"stat {file}"]
    return steps + ["stat data/none", "open data/none r"] * 20


@work
def maildir():
    """60 messages are delivered: each is written into tmp, put on the disk, renamed into new, found there, renamed into cur and read."""
    steps = ["on-server tmp 0 0", "on-server new 0 0", "on-server cur 0 0"]
    for batch in range(6):
        names = [f"m{batch * 10 + number}" for number in range(10)]
        for name in names:
            steps += [*new(f"tmp/{name}", 4500, f"fsync tmp/{name}"), PAUSE, f"rename tmp/{name} new/{name}"]
        steps += ["sleep 2", "readdir new"]
        for name in names:
            steps += [f"rename new/{name} cur/{name}", PAUSE, f"stat cur/{name}", *whole(f"cur/{name}", 4500)]
    return [*steps, "readdir cur", *[f"unlink cur/m{number}" for number in range(0, 60, 2)], "readdir cur"]


@work
def shared_folder():
    """One client makes files in a folder, another one lists it, reads and removes them; some are replaced by other files."""
    steps = ["on-server data 20 3000", "web2: readdir data"]
    for batch in range(4):
        names = [f"data/n{batch}-{number}" for number in range(8)]
        for name in names:
            steps += new(name, 5000)
        steps += ["sleep 1", "web2: readdir data"]
        for name in names:
            steps += [f"web2: {step}" for step in whole(name, 5000)]
        steps += ["sleep 35", "web2: readdir data"]
        for name in names[:4]:
            steps += [f"web2: unlink {name}"]
        for number, name in enumerate(names[4:]):
            steps += sum([[step, f"web2: {step}"] for step in whole(f"data/{number}", 3000)], [])
            steps += [PAUSE, f"rename {name} data/{number}", PAUSE, *[f"web2: {step}" for step in whole(f"data/{number}", 5000)]]
        steps += [f"stat {name}" for name in names] + ["readdir data"]
    return steps


@work
def folders():
    """Folders are listed and asked for, those that are not there as well, and files in three folders deep are read."""
    steps = ["on-server a/b/c 30 2000", "on-server a/d 5 2000"]
    for pause in [1, 10, 32]:
        steps += ["readdir /", "stat a", "stat a/b", "readdir a", "readdir a/b", "readdir a/b/c", "stat a/none", "stat none/b"]
        steps += sum([whole(f"a/b/c/{number}", 2000) for number in range(10)], []) + whole("a/d/1", 2000) + [f"sleep {pause}"]
    return [*steps, *new("a/b/new", 100), "readdir a/b", "stat a/b", "stat a", "unlink a/b/new", "readdir a/b", "stat a/b/new"]


@work
def replaced_open():
    """10 files are replaced while they are open and read, and 10 are written, renamed and written on."""
    steps = ["on-server data 20 5000"]
    for number in range(10):
        file = f"data/{number}"
        steps += [f"open {file} r", f"read {file} 2000", *new(f"{file}.new", 6000), PAUSE, f"rename {file}.new {file}", PAUSE,
                  f"read {file} 3000", f"close {file}", PAUSE, *whole(file, 6000)]
    for number in range(10, 20):
        file = f"data/{number}"
        steps += [f"open {file} w", f"write {file} 9000", PAUSE, f"rename {file} {file}.old", PAUSE, f"write {file} 9000", f"close {file}",
                  f"stat {file}.old"]
    return steps


@work
def conflicts():
    """Two clients open, change, remove and rename files that the other one has open or has a delegation of."""
    return ["on-server data 10 10000", "open data/0 w", "web2: open data/0 r", "web2: read data/0 10000", "write data/0 5000",
            "fsync data/0", "web2: stat data/0", "web2: read-at data/0 0 4096", "web2: close data/0", "close data/0",
            "web2: open data/0 r", "web2: read data/0 10000", "web2: close data/0", "open data/1 r", "read data/1 4096",
            "web2: open data/1 r", "web2: read data/1 4096", "web2: open data/2 w append", "web2: write data/2 100",
            "open data/2 w append", "write data/2 100", "close data/2", "web2: write data/2 100", "web2: close data/2", "open data/2 r",
            "read data/2 20000", "close data/2", "close data/1", "web2: close data/1", "open data/3 r", "read data/3 10000",
            "close data/3", "web2: open data/3 create", "web2: write data/3 3000", "web2: close data/3", "open data/3 r",
            "read data/3 10000", "close data/3", "sleep 4", "stat data/3", "open data/3 r", "read data/3 10000", "close data/3",
            "web2: unlink data/4", "open data/4 r", "stat data/4", "web2: rename data/5 data/4", "sleep 0.1", "stat data/4",
            "stat data/5", "open data/6 r", "read data/6 10000", "web2: unlink data/6", "sleep 0.2", "read-at data/6 0 100",
            "close data/6", "sleep 0.2", "stat data/6", "readdir data", "web2: readdir data", "open data/7 r", "read data/7 100",
            "close data/7", "web2: rename data/7 data/seven", "sleep 0.2", "stat data/7", "open data/seven r", "read data/seven 100",
            "close data/seven", "sleep 65", "stat data/7", "open data/seven r", "read data/seven 100", "close data/seven",
            "open data/3 w", "write data/3 100", "close data/3", "web2: open data/3 r", "web2: read data/3 4096", "web2: close data/3"]


@work
def idle():
    """Files are read, then nothing happens for four minutes, then they are read again; the same after six and a half."""
    once = sum([whole(f"data/{number}", 4000) for number in range(10)], [])
    return ["on-server data 10 4000", *once, "sleep 230", *once, "sleep 390", *once]


@work
def mounted_anew():
    """Files are read, a file is made, all is unmounted and mounted, and the same is done again."""
    once = sum([whole(f"data/{number}", 4000) for number in range(10)], [])
    return ["on-server data 10 4000", *once, *new("data/a", 7000), "mount-anew", *once, *new("data/b", 7000), *new("data/a", 10)]


def main():
    """Writes all."""
    folder = Path(__file__).parent / "works"
    folder.mkdir(exist_ok=True)
    for name, make in WORKS.items():
        (folder / f"{name}.work").write_text(f"# {make.__doc__}\n" + "\n".join(make()) + "\n")


main()
