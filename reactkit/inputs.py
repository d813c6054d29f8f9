"""The target of a build, and its inputs, so that a build that goes on knows whether they are what it was begun from.

An input is known by its name, its size in bytes and the time of its last change, which a file that is put right does
not keep. So of one that broke off, the bytes up to the place reached are known by their checksum instead.
"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path

from reactkit.dumps import CHUNK, reader
from reactkit.errors import DataError
from reactkit.frozen import replaceable

__all__ = ["Fact", "beginning", "described", "may_make", "same"]

Fact = list  # a name, bytes, and either the time of the last change, in nanoseconds, or a checksum of these bytes


def may_make(to: Path, again: bool) -> None:
    """Refuse a target in no folder, and one that is there, unless it is a collection to be made `again`."""
    if to.exists():
        replaceable(to)
        if not again:
            raise DataError(f"{to} is there already; with --again it is made anew")
    if not to.parent.is_dir():
        raise DataError(f"there is no folder {to.parent} to make {to.name} in")


def described(paths: Sequence[Path]) -> Iterator[Fact]:
    """Yield what each input is known by; one of no kind that can be frozen is a `DataError`."""
    for path in paths:
        reader(path)
        files = [file.lstat() for file in path.iterdir()] if path.is_dir() else [path.stat()]
        changed = max((file.st_mtime_ns for file in files), default=0)
        yield [path.name, sum(file.st_size for file in files), changed]


def beginning(path: Path, size: int) -> Fact:
    """Return what an input is known by up to a place in it."""
    made, left = sha256(), 0 if path.is_dir() else size
    with open(path, "rb") if left else nullcontext() as file:
        while left and (read := file.read(min(left, CHUNK))):
            made.update(read)
            left -= len(read)
    return [path.name, size, made.hexdigest()]


def same(kept: Sequence[Fact], told: Sequence[Fact], paths: Sequence[Path]) -> bool:
    """Whether the inputs are those that a build was begun from."""
    now = (beginning(path, old[1]) if isinstance(old[2], str) else new for path, old, new in zip(paths, kept, told))
    return len(kept) == len(told) and all(old == new for old, new in zip(kept, now))
