"""The paper's tables, held number by number against the fact sheet beside the clone: a second source, read apart."""

import re

import pytest

from reactkit.paper import table

TABLES = {  # heading in the fact sheet: the table in our file
    "## 4. Table 1": "Table 1",
    "### 6.4 Figure 3": "Figure 3",
    "### Table 3": "Table 3",
    "## 8. WebShop": "Table 4",
}


@pytest.fixture(scope="session")
def facts(real_data):
    return (real_data.parent / "paper_facts.md").read_text(encoding="utf-8")


def numbers_by_row(markdown):
    """Return the numbers in each row of the first table of a text, row names left out."""
    rows = re.search(r"(?:^\|.*\n)+", markdown, re.MULTILINE)[0].splitlines()[2:]
    return [[float(cell.strip(" *")) for cell in row.strip("|").split("|")[1:]] for row in rows]


@pytest.mark.parametrize(("heading", "place"), TABLES.items())
def test_each_number_of_the_table_is_that_of_the_fact_sheet(facts, heading, place):
    sheet = numbers_by_row(facts[facts.index(heading) :])
    ours = [[cell for cell in row[1:] if isinstance(cell, (int, float))] for row in table(place).rows]
    assert ours == sheet


def test_table_2_is_that_of_the_fact_sheet(facts):
    rows = re.findall(r"^\| (?:success|failure) \|.*", facts[facts.index("## 5. Table 2") :], re.MULTILINE)
    sheet = [[int(number) for number in re.findall(r"(\d+) %", row)] for row in rows]
    ours = [[cell for cell in row[1:] if cell is not None] for row in table("Table 2").rows]
    assert sorted(map(tuple, ours)) == sorted(map(tuple, sheet))
