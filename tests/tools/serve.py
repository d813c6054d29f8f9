"""Serve the small local model until Ctrl-C; `python start.py local` installs what it needs, then runs this."""

import os
import sys
import time

from reactkit.errors import ReactKitError
from reactkit.servers import served, weights

HOW = """\
The model {name} answers at {address}; Ctrl-C stops it. In a notebook or Python:

    from reactkit import connect
    model = connect("{address}", "{name}", chat=False, settings={{"max_tokens": 100}})
"""


def main():
    try:
        path = weights()
    except ReactKitError as error:
        sys.exit(str(error))
    server = served(path, int(os.environ.get("PORT", "0")))
    print(HOW.format(name=path.stem.split(".")[0], address=server.listening_address), flush=True)
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        del server
        print("Stopped.")


if __name__ == "__main__":
    main()
