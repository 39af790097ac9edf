"""Prints the table of README.md: what was measured and what hotset simulates.

    python3 experiments/nfs-calls/compare.py [path of hotset]"""

import csv
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
STORES = {"3": "nfs3", "4.0": "nfs40", "4.1": "nfs41", "4.2": "nfs4"}
# What the errors are held to.
MOST_OF_CALLS, MOST_OF_BYTES = 0.02, 0.05


def measured():
    """For each work, mount and client: calls by name, bytes and packets."""
    found = defaultdict(lambda: {"calls": {}, "link": {}})
    with (FOLDER / "measured.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found[row["work"], row["mount"], row["client"]][row["kind"]][row["name"]] = int(row["count"])
    return found


def simulated(hotset, work, mount):
    """The same of each client, as hotset has it."""
    command = [hotset, "simulate", "files", FOLDER / f"works/{work}.work", "--scenario", FOLDER / "nodes.toml",
               "--store", STORES[mount], "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {client["name"]: client for client in json.loads(done.stdout)["clients"]}


def error(was, is_now):
    """How far off, as a share of what was measured."""
    return (is_now - was) / was if was else float(is_now != was)


def main():
    """Prints a line for each cell, then how many of them hold."""
    hotset = sys.argv[1] if len(sys.argv) > 1 else "hotset"
    print("| work | version | client | calls: measured | simulated | off | bytes: measured | simulated | error | packets: measured | simulated |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    names, names_held, cells, calls_held, bytes_held = 0, 0, 0, 0, 0
    for (work, mount, client), counted in measured().items():
        model = simulated(hotset, work, mount)[client]
        off = []
        for name in sorted(counted["calls"].keys() | model["calls"].keys()):
            was, is_now = counted["calls"].get(name, 0), model["calls"].get(name, 0)
            names += 1
            if abs(error(was, is_now)) > MOST_OF_CALLS:
                off.append(f"{name} {was} → {is_now}")
            else:
                names_held += 1
        both = {what: sum(model[f"link_{what}"].values()) for what in ["bytes", "packets"]}
        wrong = error(counted["link"]["bytes"], both["bytes"])
        cells += 1
        calls_held += not off
        bytes_held += abs(wrong) <= MOST_OF_BYTES
        print(f"| {work} | {mount} | {client} | {sum(counted['calls'].values()):,} | {sum(model['calls'].values()):,} | {', '.join(off) or '–'} "
              f"| {counted['link']['bytes']:,} | {both['bytes']:,} | {wrong:+.1%} | {counted['link']['packets']:,} | {both['packets']:,} |")
    print(f"\n{names_held} of {names} counts of calls are exact to {MOST_OF_CALLS:.0%}. In {calls_held} of {cells} cells all are."
          f" In {bytes_held} of {cells}, bytes are exact to {MOST_OF_BYTES:.0%}.")


main()
