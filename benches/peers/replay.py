"""CPU per request of load generators: `hotset replay` beside wrk, httperf, oha and vegeta.

64 kept connections ask nginx for one file of 1 KB as fast as it answers. The generator has the first core that this
program may use to itself and nginx the others, so that it is the generator that is saturated; processor time is what a
request costs it. With one core (`taskset -c 3 benches/peers/run replay`) they share it."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import time
from functools import partial
from pathlib import Path

from measure import Row, alternate, median, pinned, run

CONNECTIONS = 64
SECONDS = 2
TIMES = 9
PORT = 18080
FILE_BYTES = 1024
# httperf counts calls instead of time: some seconds' worth.
HTTPERF_CALLS = 300
CONFIGURATION = """\
daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes {workers};
events {{ worker_connections 1024; }}
http {{
  access_log off; keepalive_requests 1000000000;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  server {{ listen 127.0.0.1:{port}; root {folder}/www; }}
}}
"""


def cores():
    """(the generator's core, the server's cores) of those this program may use."""
    first, *others = sorted(os.sched_getaffinity(0))
    return [first], others or [first]


@contextlib.contextmanager
def nginx(work):
    """A server of the file; its URL."""
    folder = (work / "replay").resolve()
    (folder / "www").mkdir(parents=True, exist_ok=True)
    (folder / "www" / "1k").write_bytes(os.urandom(FILE_BYTES))
    _, servers = cores()
    (folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, workers=len(servers), port=PORT))
    # Started as root, nginx reads files as another user, who may not enter the checkout.
    command = ["nginx", "-c", folder / "nginx.conf", "-e", folder / "error.log"]
    command += ["-g", "user root;"] if os.geteuid() == 0 else []
    server = subprocess.Popen(pinned(servers, command))
    try:
        time.sleep(0.5)
        yield f"http://127.0.0.1:{PORT}/1k"
    finally:
        server.terminate()
        server.wait()


def per_request(finished, requests):
    """Microseconds of processor time a request."""
    return finished.cpu_seconds * 1e6 / requests


def counted(command, pattern):
    """Runs a generator on core 0 that prints how many requests it made."""
    finished = run(pinned(cores()[0], command))
    return per_request(finished, int(re.search(pattern, finished.stdout).group(1)))


def one_line_log(work):
    """A log of one request of the file: in a closed loop it is sent over and over."""
    log = work / "replay" / "access.log"
    log.write_text(f'192.0.2.1 - - [21/Nov/2026:00:00:00 +0000] "GET /1k HTTP/1.1" 200 {FILE_BYTES}\n')
    return log


def hotset(program, work, url):
    """The command as it is: it reads a log, schedules, checks lengths, keeps histograms and reports."""
    server = url.removesuffix("/1k")
    command = [program, "replay", "--clients", CONNECTIONS, "--duration", f"{SECONDS}s", "--json",
               one_line_log(work), server]
    finished = run(pinned(cores()[0], command))
    report = json.loads(finished.stdout)
    if report["errors"] or report["wrong_length"]:
        raise SystemExit(f"hotset replay: {report['errors_by_kind']}, {report['wrong_length']} wrong lengths")
    return per_request(finished, report["requests"])


def wrk(program, url):
    return counted([program, "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}", url], r"(\d+) requests in")


def httperf(program, url):
    command = [program, "--hog", "--server", "127.0.0.1", "--port", PORT, "--uri", "/1k", "--rate", "10000",
               "--wsess", f"{CONNECTIONS},{HTTPERF_CALLS},0"]
    return counted(command, r"requests \d+ replies (\d+)")


def oha(program, url):
    command = [program, "--no-tui", "-c", CONNECTIONS, "-z", f"{SECONDS}s", "--output-format", "json", url]
    finished = run(pinned(cores()[0], command))
    return per_request(finished, sum(json.loads(finished.stdout)["statusCodeDistribution"].values()))


def vegeta(program, work, url):
    """As many workers as connections, as fast as they are answered; bodies are read and not kept."""
    targets, answers = work / "replay" / "targets", work / "replay" / "answers"
    targets.write_text(f"GET {url}\n")
    command = [program, "attack", "-rate=0", f"-workers={CONNECTIONS}", f"-max-workers={CONNECTIONS}",
               f"-connections={CONNECTIONS}", "-max-body=0", f"-duration={SECONDS}s", f"-targets={targets}",
               f"-output={answers}"]
    finished = run(pinned(cores()[0], command))
    report = run([program, "report", "-type=json", str(answers)])
    answers.unlink()
    return per_request(finished, json.loads(report.stdout)["requests"])


# What prints each program's version; wrk's and httperf's end as if that were an error.
VERSION_OPTIONS = {"nginx": "-v", "wrk": "-v", "httperf": "--version", "oha": "--version", "vegeta": "-version"}


def program(work, name):
    """Where a program is installed; None: nowhere."""
    return shutil.which(name, path=f"{work / 'tools' / 'bin'}{os.pathsep}{os.environ['PATH']}")


def versions(work):
    """What each installed program says of itself, its first line that has a number."""
    for name, option in VERSION_OPTIONS.items():
        if (path := program(work, name)) is not None:
            said = subprocess.run([path, option], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            line = next(line for line in said.stdout.splitlines() if re.search(r"\d+\.\d+", line))
            yield name, re.search(r"\d+(\.\d+)+\S*", line).group()


def setting(work):
    """What is compared, and on which cores."""
    (generator,), servers = cores()
    programs = ", ".join(f"{name} {version}" for name, version in versions(work))
    return f"{programs}; generators on core {generator}, nginx on {', '.join(map(str, servers))}"


def peers(work):
    """(name, call) of each peer that is installed; wrk, which the others are compared with, first."""
    calls = {"wrk": wrk, "httperf": httperf, "oha": oha, "vegeta": lambda path, url: vegeta(path, work, url)}
    for name, call in calls.items():
        path = program(work, name)
        if path is None:
            print(f"{name} is not installed and left out")
        else:
            yield name, partial(call, Path(path))


def rows(hotset_program, work):
    """The comparison as rows of the ratio table."""
    if shutil.which("nginx") is None:
        print("nginx is not installed: no load generators are compared")
        return []
    found = list(peers(work))
    if not found:
        return []
    names, calls = zip(*found)
    with nginx(work) as url:
        ours, *theirs = alternate(TIMES, partial(hotset, hotset_program, work, url),
                                  *[partial(call, url) for call in calls])
    return [
        Row("1 KB over kept connections", "µs of CPU/request", median(ours), name, median(peer), more_is_better=False,
            pair_ratio=median([one / own for one, own in zip(peer, ours)]))
        for name, peer in zip(names, theirs)
    ]
