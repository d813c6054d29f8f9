"""Likeness: which titles a person may have meant, first of all the likeliest, and none for a stranger."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reactkit.likeness import initials, kernel, keys, likeness, most_alike, near, roots, spelled_alike
from reactkit.titles import plain

WORD = st.text("abcdé ", min_size=3, max_size=12).map(plain).filter(lambda word: len(word) > 2)
LETTER = st.sampled_from("abcz")


def found(asked, *titles):
    return most_alike(asked, [(title, title) for title in titles])


def marks(name):
    return {mark for mark, _ in keys(name)}


@given(WORD, WORD | LETTER, st.integers(0, 12), st.sampled_from(["left out", "put in", "exchanged", "swapped"]))
def test_whatever_is_one_typing_error_apart_is_found_by_a_mark(word, letters, at, fault):
    rest, letter = word[at:], letters[0]
    wrong = {
        "left out": rest[1:],
        "put in": letter + rest,
        "exchanged": letter + rest[1:],
        "swapped": rest[1:2] + rest[:1] + rest[2:],
    }
    other = word[:at] + wrong[fault]
    assume(plain(other) == other and len(other) > 2)
    assert spelled_alike(word, other) == 1 == spelled_alike(other, word)
    assert not set(marks(word)).isdisjoint(near(other))


@given(st.text(max_size=12))
def test_a_name_is_looked_for_by_eleven_marks_its_own_among_them(text):
    name = plain(text)
    assert len(near(name)) == 11
    assert {mark for mark, word in keys(name) if word == name and mark[:1] not in "=^"} <= set(near(name))


@pytest.mark.parametrize(
    ("one", "other"),
    [("massachusetts", "massachussets"), ("restaurant", "restaraunt"), ("philippines", "phillipines")],
)
def test_vowels_and_doubled_letters_are_often_misspelled(one, other):
    assert 0.75 < spelled_alike(one, other) < 1
    assert not set(marks(one)).isdisjoint(near(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("carbon", "carribean"), ("bdsm", "buddism"), ("uk", "ur"), ("front", "trunk"), ("abcd", "badc"), ("", "")],
)
def test_these_are_other_words(one, other):
    assert spelled_alike(one, other) == 0


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("volcanoes", "volcano"), ("cities", "city"), ("wolves", "wolf"), ("knives", "knife"), ("churches", "church"),
        ("waves", "wave"), ("butterflies", "butterfly"), ("viruses", "virus"), ("classes", "class"),
        ("the universe", "universe"), ("world war two", "world war ii"), ("2nd world war", "second world war"),
        ("elizabeth 2", "elizabeth ii"), ("mt everest", "mount everest"), ("st john", "saint john"), ("ww2", "ww 2"),
        ("plato s republic", "plato republic"), ("univ of cambridge", "university cambridge"),
    ],
)  # fmt: skip
def test_forms_of_a_word_have_one_root(name, same):
    assert roots(name) == roots(same)


@pytest.mark.parametrize(
    ("name", "other"),
    [("world war i", "world war ii"), ("paris", "pari"), ("gas", "ga"), ("bass", "bas"), ("analysis", "analysi")],
)
def test_these_words_have_roots_of_their_own(name, other):
    assert roots(name) != roots(other)


def test_small_words_count_where_there_are_no_others():
    assert (roots("the"), roots("the who"), roots("")) == (("the",), ("who",), ())


def test_the_kernel_of_a_title_lacks_what_sets_it_apart_from_others_of_its_name():
    titles = "Io (moon)", "Phoenix, Arizona", "Mirror (1975 film)", "(film)", "Paris", "A (b) c"
    assert [kernel(title) for title in titles] == [
        ("io",),
        ("phoenix",),
        ("mirror",),
        ("film",),
        ("paris",),
        ("b", "c"),
    ]


def test_initials_are_those_of_several_words_with_their_numbers_in_both_forms():
    assert initials("franklin d roosevelt") == {"fdr"}
    assert initials("world war ii") == {"wwii", "ww2"}
    assert initials("league of nations") == {"ln"}
    assert initials("paris") == set()


SHELF = (
    "Ada Lovelace Day", "Carbon", "Front Row (software)", "Front Row Motorsports", "Genghis Khan", "History of Mars",
    "Lovelace, Ada", "Nicholas Ray", "Red Meat", "Red meat", "Red meat (food)", "Venus", "!", "Napoleon", "Volcano",
    "World War I", "World War II", "Elizabeth I", "Elizabeth II", "Universe", "Observable universe", "Paris",
    "Io (moon)", "Saxophone", "United States", "Ufa", "Fir", "Naja", "Kiel Canal", "Puncak Jaya",
    "Franklin D. Roosevelt", "Spain",
    "Mount Everest", "Wolfgang Amadeus Mozart", "J. R. R. Tolkien", "University of Cambridge", "Wassily Kandinsky",
    "Johann Wolfgang von Goethe", "Philippines", "Nero", "Apology (Plato)", "Prince (musician)", "Musician", "Life",
    "Blue Nile", "Nice", "Benin City", "C (programming language)", "C. S. Lewis", "Robert Louis Stevenson",
    "Adolf Hitler", "Guernica", "Powerlifting", "Baháʼu'lláh", "Hans Christian Ørsted", "Bomb", "Laos", "News",
)  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "titles"),
    [
        ("Front Row", ["Front Row (software)", "Front Row Motorsports"]),
        ("front row motorsport", ["Front Row Motorsports"]),
        ("Ada Lovelace", ["Lovelace, Ada", "Ada Lovelace Day"]),
        ("Nicholas Ray director", ["Nicholas Ray"]),
        ("Genghis Kahn", ["Genghis Khan"]),
        ("Ghengis Khan", ["Genghis Khan"]),
        ("Gengis", ["Genghis Khan"]),
        ("Red meat", ["Red meat", "Red Meat", "Red meat (food)"]),
        ("Venus Conaz", ["Venus"]),
        ("History of Venus", ["Venus"]),
        ("Napoleon Bonaparte", ["Napoleon"]),
        ("United States of America", ["United States"]),
        ("Kingdom of Spain", ["Spain"]),
        ("Paris, France", ["Paris"]),
        ("Saxophone (instrument)", ["Saxophone"]),
        ("Io (satellite)", ["Io (moon)"]),
        ("Prince (musician) film", ["Prince (musician)", "Musician"]),
        ("Volcanoes", ["Volcano"]),
        ("World War 2", ["World War II"]),
        ("Second World War", ["World War II"]),
        ("WW2", ["World War II"]),
        ("Elizabeth 2", ["Elizabeth II"]),
        ("Elizabeth IV", ["Elizabeth I", "Elizabeth II"]),
        ("The universe", ["Universe", "Observable universe"]),
        ("Mt. Everest", ["Mount Everest"]),
        ("FDR", ["Franklin D. Roosevelt"]),
        ("W. A. Mozart", ["Wolfgang Amadeus Mozart"]),
        ("John Ronald Reuel Tolkien", ["J. R. R. Tolkien"]),
        ("Cambridge University", ["University of Cambridge"]),
        ("Kandinski", ["Wassily Kandinsky"]),
        ("Goethe, Johan Wolfgang von", ["Johann Wolfgang von Goethe"]),
        ("Phillipines", ["Philippines"]),
        ("Emperor Nero", ["Nero"]),
        ("Plato Apology", ["Apology (Plato)"]),
        ("lif", ["Life"]),
        ("Red York", []),
        ("Nile", ["Blue Nile", "Nice"]),
        ("Lenin", []),
        ("C++", ["C (programming language)"]),
        ("R. L. Stevenson", ["Robert Louis Stevenson"]),
        ("Adolph Hitler", ["Adolf Hitler"]),
        ("Gernika", ["Guernica"]),
        ("powerlifter", ["Powerlifting"]),
        ("Baha'ullah", ["Baháʼu'lláh"]),
        ("Hans Christian Oersted", ["Hans Christian Ørsted"]),
        ("Bombay", []),
        ("Lao Tzu", []),
        *((stranger, []) for stranger in ("USA", "NASA", "Kiev", "Java", "Vemus Conaz", "Zorblatt", "?", "")),
    ],
)
def test_the_likeliest_titles_come_first_and_strangers_not_at_all(asked, titles):
    assert found(asked, *SHELF) == titles


def test_another_name_of_a_page_leads_to_its_title_and_counts_for_less():
    names = [("Bombay", "Mumbai"), ("Mumbai", "Mumbai"), ("Bombay duck", "Bombay duck")]
    assert most_alike("Bombey", names) == ["Mumbai", "Bombay duck"]
    assert most_alike("Bombay", names) == ["Mumbai", "Bombay duck"]
    assert most_alike("Mumbay", names) == ["Mumbai"]


def test_never_more_than_five_titles_and_never_one_twice():
    names = [(f"Kite {n}", f"Kite {n % 7}") for n in range(70)]
    assert most_alike("kite", names) == [f"Kite {n}" for n in range(5)]


@given(st.text(max_size=30), st.text(max_size=30))
def test_likeness_is_a_share_and_whole_for_the_same_words(one, other):
    assert 0 <= likeness(one, other) <= 1
    assert likeness(other, other) == 1
