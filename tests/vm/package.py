"""Debian packages of hotset, as a host installs them."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def build(hotset, folder, versions):
    """Makes a package of each version in a folder, all with this program; the packages. It takes cargo-deb."""
    subprocess.run([hotset, "man", "--dir", ROOT / "target/man"], check=True)
    target = Path(folder) / "target"
    (target / "release").mkdir(parents=True)
    shutil.copy(hotset, target / "release/hotset")
    return [build_one(Path(folder) / f"hotset-{version}.deb", target, version) for version in versions]


def build_one(package, target, version):
    """Makes a package; its file."""
    command = ["cargo", "deb", "-p", "hotset-cli", "--no-build", "--fast", "--quiet", "--deb-version", version, "-o", package]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"CARGO_TARGET_DIR": str(target)}, stdout=subprocess.DEVNULL, check=True)
    return package
