"""An emulated machine: it boots, runs commands as root, and starts anew. What is written to its disk goes with it."""

import socket
import subprocess
import tempfile
import time
from pathlib import Path

MEMORY = "1024M"
# 14 s on an idle machine, five minutes beside four compilers.
BOOT_SECONDS = 900
COMMAND_SECONDS = 600


class Machine:
    """A machine that runs as long as the block it is used in."""

    def __init__(self, image):
        self.image = image
        # The program under test, on this side.
        self.program = None

    def __enter__(self):
        self.work = tempfile.TemporaryDirectory(prefix="hotset-vm-")
        self.port = free_port()
        self.console = Path(self.work.name) / "console"
        self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=self.console.open("wb"),
                                        stderr=subprocess.STDOUT)
        try:
            self.wait_for_boot(unlike="")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.hang_up()
        self.process.kill()
        self.process.wait()
        self.work.cleanup()

    def command(self):
        """Starts it. Version 2 of control groups is Debian's default."""
        return ["qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", MEMORY,
                "-kernel", self.image.kernel, "-initrd", self.image.initrd,
                "-append", "root=/dev/vda rw console=ttyS0 quiet udev.event_timeout=900",
                "-drive", f"file={self.image.disk},format=raw,if=virtio,snapshot=on",
                "-netdev", f"user,id=lan,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:22",
                "-device", "virtio-net-pci,netdev=lan", "-nographic"]

    def ssh(self, *more):
        """The command that enters it. Its host key is as new as the machine."""
        options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR", "ConnectTimeout=20",
                   f"ControlPath={self.work.name}/ssh"]
        options = [part for option in options for part in ("-o", option)]
        return ["ssh", "-F", "none", "-i", self.image.key, "-p", str(self.port), *options, *more, "root@127.0.0.1"]

    def connect(self):
        """Opens the connection that all commands use; whether it could."""
        # It stays behind, so it must not hold on to a pipe that somebody reads to its end.
        nowhere = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.run(self.ssh("-M", "-N", "-f"), **nowhere, check=False).returncode == 0

    def hang_up(self):
        """Ends the connection."""
        subprocess.run(self.ssh("-O", "exit"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)

    def run(self, command, check=True, **options):
        """Runs a line of shell as root; its finished process, with standard output and standard error as text."""
        done = subprocess.run([*self.ssh(), command], capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False,
                              **options)
        if check and done.returncode:
            raise subprocess.SubprocessError(f"{command}: exit code {done.returncode}: {done.stderr or done.stdout}")
        return done

    def read(self, command):
        """What a line of shell prints, without the last line's end."""
        return self.run(command).stdout.rstrip("\n")

    def copy(self, file, to):
        """Copies a program or a package into it."""
        with file.open("rb") as content:
            subprocess.run([*self.ssh(), f"cat > {to} && chmod 755 {to}"], stdin=content, check=True)

    def boot_id(self):
        """What tells this start of the machine from others; empty while it is down."""
        done = self.run("cat /proc/sys/kernel/random/boot_id", check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    def wait_for_boot(self, unlike):
        """Waits until it is up and everything that it starts by itself has started."""
        give_up = time.monotonic() + BOOT_SECONDS
        while not self.connect() or self.boot_id() in ("", unlike):
            self.hang_up()
            if time.monotonic() > give_up or self.process.poll() is not None:
                raise TimeoutError(f"the machine does not boot: {self.console.read_text(errors='replace')[-2000:]}")
            time.sleep(1)
        self.run("systemctl is-system-running --wait", check=False)

    def reboot(self):
        """Starts it anew, as an administrator does."""
        before = self.boot_id()
        self.run("systemctl reboot", check=False)
        self.hang_up()
        self.wait_for_boot(unlike=before)


def free_port():
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
