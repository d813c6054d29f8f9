"""The suite runs offline: in this process, and in each kernel that it starts."""

import socket

import nbformat
import pytest
from conftest import shared
from nbclient import NotebookClient

ATTEMPT = """
import socket
try:
    socket.socket().connect(("192.0.2.1", 80))
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: socket.socket().connect(("192.0.2.1", 80)),
        lambda: socket.getaddrinfo("example.org", 443),
        lambda: socket.gethostbyname("example.org"),
        lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"", ("192.0.2.1", 53)),
    ],
)
def test_this_process_reaches_nothing_outside_the_machine(attempt):
    with pytest.raises(RuntimeError, match="the tests run offline: .* was refused; only loopback is allowed"):
        attempt()


def test_a_kernel_that_a_notebook_starts_reaches_nothing_outside_the_machine(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(ATTEMPT)])
    NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert notebook.cells[0].outputs[0].text == (
        "OutsideRefused the tests run offline: socket.connect to '192.0.2.1' was refused; only loopback is allowed\n"
    )


def test_loopback_stays_open():
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname(), timeout=1) as client:
            assert client.getpeername() == server.getsockname()
    assert socket.getaddrinfo("localhost", 80)


@pytest.mark.parametrize(("ci", "outcome"), [({}, pytest.skip.Exception), ({"CI": "true"}, pytest.fail.Exception)])
def test_real_inputs_that_are_absent_skip_here_and_fail_in_ci(tmp_path, ci, outcome):
    with pytest.raises((pytest.skip.Exception, pytest.fail.Exception), match="set REACTKIT_SHARED") as ended:
        shared("data", {"REACTKIT_SHARED": str(tmp_path), **ci})
    assert ended.type is outcome


def test_real_inputs_are_read_in_place(tmp_path):
    (tmp_path / "data").mkdir()
    assert shared("data", {"REACTKIT_SHARED": str(tmp_path), "CI": "true"}) == tmp_path / "data"
