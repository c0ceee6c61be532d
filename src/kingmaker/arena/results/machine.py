"""The computer that plays, in one line for a report."""

import os
import platform
from pathlib import Path


def machine() -> str:
    """Processor, number of cores and operating system."""
    return f"{processor()}, {os.cpu_count() or 1} cores, {platform.system()} {platform.release()}"


def processor() -> str:
    """The name of the processor where the system tells it, else its kind."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return (names[0] if names else "") or platform.processor() or platform.machine() or "an unknown processor"
