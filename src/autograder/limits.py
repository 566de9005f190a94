"""How much a student's code may take. All limits stand here."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 2**20


@dataclass(frozen=True)
class Limits:
    """What one sandbox may use; whoever goes beyond is stopped from outside.

    Attributes:
        memory: bytes, of all processes together.
        processes: at one time, threads counted.
        disk: bytes of files in /tmp, and again in /dev/shm.
        file_size: bytes of one file.
        open_files: at one time.
        output: bytes of text that are kept of one cell.
        images: bytes of pictures that are kept of one cell.
        all_output: bytes of texts and pictures that are kept of all cells of a notebook.
        elements: numbers in the arrays of all results of a notebook, which the judge holds.
        call_cpu: seconds of processor time for one cell or one call.
        call_wall: seconds on the clock for one cell or one call.
        total_cpu: seconds of processor time for a whole notebook, restarts included.
        total_wall: seconds on the clock for a whole notebook, the judge's own included.
    """

    memory: int = 2048 * MIB
    processes: int = 64
    disk: int = 128 * MIB
    file_size: int = 64 * MIB
    open_files: int = 256
    output: int = 1_000_000
    images: int = 1_500_000
    all_output: int = 8_000_000
    elements: int = 128 * MIB
    call_cpu: float = 5.0
    call_wall: float = 30.0
    total_cpu: float = 30.0
    total_wall: float = 180.0
