"""Runs a command as the child of a small process, and says what it cost.

    launch.py DESCRIPTOR COMMAND...     writes "status processor-seconds wall-seconds peak-bytes" to the descriptor

Linux counts the memory that a process had before it became another program (fork, vfork, then exec) into its peak. A
child of a large process therefore seems to have needed as much as its parent ever did. This process imports next to
nothing, so that peaks above its own 10 MiB are the command's."""

import os
import sys
import time

descriptor, *command = sys.argv[1:]
os.set_inheritable(int(descriptor), False)
start = time.monotonic()
child = os.posix_spawnp(command[0], command, os.environ)
_, status, usage = os.wait4(child, 0)
wall = time.monotonic() - start
cost = f"{status} {usage.ru_utime + usage.ru_stime} {wall} {usage.ru_maxrss * 1024}"
os.write(int(descriptor), cost.encode())
