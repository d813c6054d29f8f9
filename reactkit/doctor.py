"""One screen that says whether this machine can run the kit and, for each thing missing, the remedy."""

import hashlib
import json
import platform
import re
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from textwrap import wrap

__all__ = ["Check", "checksums", "examine", "report"]
DATA = Path(__file__).parent / "data"
INSTALL = 'in the kit\'s folder, run: python -m pip install -e ".[lab]" -c constraints.txt'


@dataclass(frozen=True, slots=True)
class Check:
    """One requirement: its name, whether it is met, what was found, and what to do where it is not."""

    name: str
    ok: bool
    detail: str
    remedy: str

    def __str__(self) -> str:
        found = wrap(f"{'OK' if self.ok else 'FAIL':<6}{self.name}: {self.detail}", 79, subsequent_indent=" " * 6)
        remedy = wrap(f"{' ' * 6}Remedy: {self.remedy}", 79, subsequent_indent=" " * 6)
        return "\n".join(found if self.ok else found + remedy)


def report(checks: Sequence[Check]) -> str:
    """Return what Python this is, a line for each check, the remedy where it failed, and a line with the count."""
    python = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    failed = sum(not check.ok for check in checks)
    verdict = f"{failed} of {len(checks)} checks failed." if failed else f"All {len(checks)} checks passed."
    return "\n".join([python, *map(str, checks), verdict])


def examine(folder: Path = Path()) -> tuple[Check, ...]:
    """Return all checks, made in this Python and in `folder`, the current one by default."""
    packages = [check(re.match(r"[\w.-]+", need)[0], partial(package, need), INSTALL) for need in needs()]
    return (
        *packages,
        check("data", data, "take the kit's folder anew"),
        check("kernel", kernel, "python -m ipykernel install --sys-prefix, in this environment"),
        check("notebooks", partial(notebooks, folder), "start in the kit's folder, which holds notebooks/"),
        check("folder", partial(writable, folder), "work in a copy of the kit that is yours"),
        check("loopback", loopback, "let the firewall allow connections from this machine to itself"),
    )


def check(name: str, look: Callable[[], str], remedy: str) -> Check:
    """Return what `look` found; where it raises an error of the world, that is what was found."""
    try:
        return Check(name, True, look(), remedy)
    except Exception as error:  # the doctor is called when things are broken, so it must not break
        return Check(name, False, str(error) or type(error).__name__, remedy)


def met(ok: bool, found: str) -> str:
    if not ok:
        raise LookupError(found)
    return found


def needs() -> list[str]:
    try:
        listed = metadata.requires("reactkit") or []
    except metadata.PackageNotFoundError:
        listed = []
    return [
        "reactkit",
        *(need.split(";")[0].strip() for need in listed if not re.search("extra.*(test|dumps|train)", need)),
    ]


def package(need: str, version_of: Callable[[str], str] = metadata.version) -> str:
    name, bounds = re.match(r"([\w.-]+)\s*(.*)", need).groups()
    found = version_of(name)
    limits = [(sign, numbers(text)) for sign, text in re.findall(r"(>=|<)([\d.]+)", bounds)]
    within = all(numbers(found) >= limit if sign == ">=" else numbers(found) < limit for sign, limit in limits)
    return met(within, f"{found}, wanted {bounds}" if bounds else found)


def numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def checksums(folder: Path = DATA) -> dict[str, str]:
    """Return the SHA-256 of each file under `folder`, with \\n line ends, but checksums.json itself."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path != folder / "checksums.json")
    texts = {path.relative_to(folder).as_posix(): path.read_bytes().replace(b"\r\n", b"\n") for path in files}
    return {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()}


def data(folder: Path = DATA) -> str:
    listed = json.loads((folder / "checksums.json").read_text(encoding="utf-8"))
    changed = sorted({name for name, _ in listed.items() ^ checksums(folder).items()})
    return met(not changed, f"changed: {', '.join(changed)}" if changed else f"{len(listed)} files, whole")


def kernel_command() -> str:
    from jupyter_client.kernelspec import KernelSpecManager

    return KernelSpecManager().get_kernel_spec("python3").argv[0]


def kernel(command: Callable[[], str] = kernel_command) -> str:
    own = Path(command()).parent in (Path(), Path(sys.executable).parent)  # a bare name: the Python that asks
    return met(own, f"python3 is {'this' if own else 'another'} Python")


def notebooks(folder: Path) -> str:
    kit = folder.absolute()
    found = {path for place in (kit, kit.parent) for path in place.glob("notebooks/[0-9][0-9]_*.ipynb")}
    return met(bool(found), f"{len(found)} found")


def writable(folder: Path) -> str:
    tempfile.TemporaryFile(dir=folder).close()
    return "can be written"


def loopback(host: str = "127.0.0.1") -> str:
    with socket.create_server((host, 0)) as server, socket.create_connection(server.getsockname(), timeout=2):
        return "this machine can talk to itself"
