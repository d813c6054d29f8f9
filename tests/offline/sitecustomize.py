"""Refuse every connection and name look-up that would leave this machine.

Python runs a file of this name at start-up where its folder is on PYTHONPATH. tests/conftest.py puts it
there, so the kernels and servers that tests start are covered as well. An audit hook sees what every library
does, and cannot be taken off again.
"""

import sys
from ipaddress import ip_address

SENDING = {"socket.connect", "socket.sendto", "socket.sendmsg"}
LOOKING_UP = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}


class OutsideRefused(RuntimeError):
    """Not an OSError, so that code which expects network trouble does not hide it."""


def here(host):
    """Whether the host is this machine: loopback, or the empty and "any" addresses that servers bind to."""
    name = host.decode() if isinstance(host, bytes) else host
    if not name or name == "localhost":
        return True
    try:
        address = ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def refuse_outside(event, args):
    if event in SENDING:
        host = args[1][0] if isinstance(args[1], tuple) else None  # a plain path is a local socket
    elif event in LOOKING_UP:
        host = args[0]
    else:
        return
    if not here(host):
        raise OutsideRefused(f"the tests run offline: {event} to {host!r} was refused; only loopback is allowed")


sys.addaudithook(refuse_outside)
