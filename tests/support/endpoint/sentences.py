"""Sentences that the annotator understands, as many as a test wants, all different."""

_FORMS = (
    "The author of {s} is {o}.",
    "{s} is a citizen of {o}.",
    "{s} was founded in the city of {o}.",
    "The capital of {s} is {o}.",
    "{s} is employed by {o}.",
    "{s}'s child is {o}.",
)
_FIRST = ("Ada", "Boris", "Chidi", "Dana", "Emre", "Fumiko", "Goran", "Hana", "Ines", "Jomo")
_LAST = ("Abara", "Brandt", "Costa", "Dvorak", "Eklund", "Farkas", "Gupta", "Horvat", "Ito")
_THINGS = ("Amber", "Basalt", "Cedar", "Delta", "Ember", "Fjord", "Garnet", "Harbour")


def sentences(count: int) -> list[str]:
    """So many sentences, of six forms in turn."""
    return [
        _FORMS[n % len(_FORMS)].format(
            s=f"{_FIRST[n % 10]} {_LAST[n // 10 % 9]} {_roman(n)}",
            o=f"{_THINGS[n % 8]} {_THINGS[n // 8 % 8]}",
        )
        for n in range(count)
    ]


def _roman(number: int) -> str:
    """The number in letters, so that it looks like part of a name."""
    letters = ""
    for value, sign in ((1000, "M"), (100, "C"), (10, "X"), (1, "I")):
        letters += sign * (number // value)
        number %= value
    return letters or "O"
