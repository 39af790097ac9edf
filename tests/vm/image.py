"""The image of the emulated machine: Debian 12 with systemd, nginx, NFS, Podman and an SSH server, made once."""

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

MIRROR = "http://deb.debian.org/debian"
PACKAGES = ["systemd", "systemd-sysv", "libpam-systemd", "dbus", "udev", "kmod", "linux-image-cloud-amd64", "nginx-light",
            "nfs-common", "nfs-kernel-server", "openssh-server", "curl", "procps", "iproute2", "e2fsprogs",
            "cron", "podman", "crun", "python3"]
# What a container is made of; on the machine, so that it needs no network.
CONTAINER = "srv/container.tar"
IN_CONTAINER = ["nginx-light"]
DISK = "2500M"
# What only delays the start of an emulated machine. Cases start NFS themselves.
IDLE = ["nfs-blkmap", "e2scrub_reap", "systemd-binfmt", "proc-sys-fs-binfmt_misc.automount",
        "apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "fstrim.timer"]
# Beside compilers an emulated processor may have a fifth of a real one's time.
PATIENT = """[Manager]
DefaultTimeoutStartSec=15min
"""
# QEMU's user network always gives this address to its first guest.
NETWORK = """[Match]
Type=ether
[Network]
Address=10.0.2.15/24
"""


@dataclass
class Image:
    """Files that a machine starts from."""

    disk: Path
    kernel: Path
    initrd: Path
    key: Path


def ready(cache, mirror):
    """The image, made if it is not there yet."""
    image = Image(cache / "root.img", cache / "vmlinuz", cache / "initrd.img", cache / "key")
    if not image.disk.exists():
        cache.mkdir(parents=True, exist_ok=True)
        make(image, mirror)
    return image


def make(image, mirror):
    """Installs Debian into a folder and makes a file system of it. The disk comes last: with it, the image is whole."""
    with tempfile.TemporaryDirectory(dir=image.disk.parent) as work:
        root = Path(work) / "root"
        install(PACKAGES, root, mirror)
        install(IN_CONTAINER, root / CONTAINER, mirror)
        let_in(root, image.key)
        shutil.copy(next((root / "boot").glob("vmlinuz-*")), image.kernel)
        shutil.copy(next((root / "boot").glob("initrd.img-*")), image.initrd)
        part = Path(work) / "root.img"
        subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", root, part, DISK], check=True)
        part.rename(image.disk)


def install(packages, target, mirror):
    """Makes a Debian with these packages: a folder, or an archive of one."""
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(packages)}", "bookworm", target,
                    f"deb {mirror} bookworm main"], check=True)


def let_in(root, key):
    """Gives the machine an address and patience, and root a key to enter with."""
    (root / "etc/systemd/network/lan.network").write_text(NETWORK)
    (root / "etc/hostname").write_text("debian\n")
    (root / "etc/hosts").write_text("127.0.0.1 localhost debian\n")
    subprocess.run(["systemctl", f"--root={root}", "--quiet", "enable", "systemd-networkd"], check=True)
    subprocess.run(["systemctl", f"--root={root}", "--quiet", "mask", *IDLE], check=True)
    subprocess.run(["systemctl", f"--root={root}", "--quiet", "disable", "nfs-server"], check=True)
    conf = root / "etc/systemd/system.conf.d"
    conf.mkdir()
    (conf / "patient.conf").write_text(PATIENT)
    key.unlink(missing_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    folder = root / "root/.ssh"
    folder.mkdir(mode=0o700, exist_ok=True)
    shutil.copy(key.with_name("key.pub"), folder / "authorized_keys")
