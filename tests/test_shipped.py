import pytest

from reactkit import DataError
from reactkit.shipped import shipped, shipped_names


def test_the_page_files_are_found_in_alphabetical_order():
    names = shipped_names("pages")
    assert (names[0], names == sorted(names), len(names)) == ("pages/apple.json", True, 9)


def test_a_file_is_read_once():
    assert shipped("tasks.json") is shipped("tasks.json")


def test_a_file_that_is_missing_is_an_error_with_a_remedy():
    with pytest.raises(DataError, match=r"nothing\.json is missing or damaged.*doctor"):
        shipped("nothing.json")
