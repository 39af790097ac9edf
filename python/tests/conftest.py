"""What the tests share: logs, and the command that the package must agree with."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

KEY = "000102030405060708090a0b0c0d0e0f"
ROOT = Path(__file__).resolve().parents[2]


def lines(seed: int, count: int = 400) -> list[str]:
    """Requests in the combined format: reads of various sizes, partial ones, misses, and lines that are none."""
    draw = random.Random(seed)
    made = []
    for number in range(count):
        second, client = number // 2 + seed % 7, draw.randrange(40)
        path, status = f"/f{int(draw.paretovariate(0.8)) % 200}.html", draw.choice([200, 200, 200, 206, 304, 404])
        method = draw.choice(["GET", "GET", "GET", "HEAD", "POST"])
        size = (hash_of(path) % 50_000) // (2 if status == 206 else 1) if status < 300 else 0
        made.append(
            f"10.0.0.{client} - - [01/Mar/2026:10:{second // 60 % 60:02}:{second % 60:02} +0000] "
            f'"{method} {path} HTTP/1.1" {status} {size} "-" "test"\n'
        )
    return [*made, "no request\n"]


def hash_of(path: str) -> int:
    return sum(byte * 31**place for place, byte in enumerate(path.encode()))


@pytest.fixture
def logs(tmp_path: Path) -> list[Path]:
    """Three logs of different content."""
    paths = [tmp_path / f"web{number}.log" for number in range(3)]
    for number, path in enumerate(paths):
        path.write_text("".join(lines(number)))
    return paths


@pytest.fixture(scope="session")
def command() -> Callable[..., Any]:
    """Runs `hotset … --json` and gives what it prints; `HOTSET` names the program."""
    program = os.environ.get("HOTSET", str(ROOT / "target" / "debug" / "hotset"))
    if not Path(program).exists():
        pytest.skip(f"{program} is not built; HOTSET names another one")

    def run(*arguments: object) -> Any:
        words = [program, *map(str, arguments), "--json"]
        return json.loads(subprocess.run(words, check=True, capture_output=True).stdout)

    return run
