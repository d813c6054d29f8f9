"""The data files that come with the kit, read once."""

import json
from functools import cache
from importlib.resources import files

from reactkit.errors import DataError

__all__ = ["shipped", "shipped_names"]


@cache
def shipped(name: str):
    """Return the content of the JSON file `data/name`; do not change it. A damaged file is a `DataError`."""
    try:
        return json.loads(files("reactkit").joinpath("data", name).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        remedy = "get a fresh copy of the kit; `python -m reactkit doctor` says which files differ"
        raise DataError(f"the kit's own file {name} is missing or damaged ({error}); {remedy}") from error


def shipped_names(folder: str) -> list[str]:
    """Return the names of the JSON files in `data/folder`, in alphabetical order, as `shipped` takes them."""
    found = files("reactkit").joinpath("data", folder).iterdir()
    return sorted(f"{folder}/{file.name}" for file in found if file.name.endswith(".json"))
