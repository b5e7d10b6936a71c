"""Where figures were taken, without names of hosts or paths: processor, cores, system, versions, date."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from pathlib import Path

import sweepcheck


def describe() -> dict[str, str]:
    """Facts in the order in which they are printed."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "sweepcheck": sweepcheck.__version__,
        "g++": _version(["g++", "-dumpfullversion"]),
        "SPIN": _version(["spin", "-V"]),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def _version(command: list[str]) -> str:
    try:
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "absent"
    return output.strip().splitlines()[0].removeprefix("Spin Version ").partition(" --")[0]
