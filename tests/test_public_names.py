import importlib
import inspect
import pkgutil

import pytest

import reactkit

MODULES = sorted(module.name for module in pkgutil.iter_modules(reactkit.__path__) if module.name != "__main__")


def test_the_package_exports_what_it_lists_and_nothing_else():
    public = {name for name in vars(reactkit) if not name.startswith("_")} - set(MODULES)
    assert public == set(reactkit.__all__)


@pytest.mark.parametrize("name", MODULES)
def test_each_listed_name_exists_and_has_a_docstring(name):
    module = importlib.import_module(f"reactkit.{name}")
    bare = [
        listed
        for listed in module.__all__
        if (inspect.isclass(found := getattr(module, listed)) or inspect.isfunction(found)) and not found.__doc__
    ]
    assert (bool(module.__doc__), bare) == (True, [])
