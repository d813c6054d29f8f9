"""Serve the small local model, or the .gguf file that is named, until Ctrl-C; `python start.py local` runs this."""

import os
import sys
import time

from reactkit.errors import ReactKitError
from reactkit.servers import NAMED, served, weights

HOW = """\
The model {name} answers at {address}; Ctrl-C stops it. In a notebook or Python:

    from reactkit import connect
    model = connect("{address}", "{name}", chat=False, settings={{"max_tokens": 100}})
"""


def main():
    try:
        path = weights(*sys.argv[1:2])
        server = served(path, int(os.environ.get("PORT", "0")))
        print(HOW.format(name=NAMED.fullmatch(path.name)[1], address=server.listening_address), flush=True)
        while True:
            time.sleep(3600)
    except ReactKitError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        print("Stopped.")


if __name__ == "__main__":
    main()
