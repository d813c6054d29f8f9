"""The calculator: a sum in, its value out, exact for whole and decimal numbers. It never runs what it reads."""

import ast
from fractions import Fraction
from operator import add, floordiv, mod, mul, neg, pos, sub, truediv

__all__ = ["Refused", "calculate"]

LONGEST, LARGEST, BITS = 200, 10**300, 1000  # characters, a number, the bits of a power
FORM = f"calculate takes only numbers and + - * / ( ), also // % and **, up to {LONGEST} characters: no words or commas"


class Refused(ValueError):
    """A tool will not take this argument; the message tells the model what it takes."""


def calculate(expression: str, /) -> str:
    """Return the value of a sum of plain numbers, such as (3 + 4.5) * 2, in the unit of what you put in."""
    try:
        found = value(ast.parse(expression.strip() if len(expression) <= LONGEST else "", mode="eval").body)
        if not abs(found) < LARGEST:
            raise OverflowError
        return str(found) if isinstance(found, Fraction) and found.denominator == 1 else f"{float(found):.15g}"
    except ZeroDivisionError:
        raise ZeroDivisionError("nothing can be divided by zero") from None
    except (OverflowError, TypeError):  # a root of a negative number is no float, and a TypeError further on
        raise Refused("this sum has no real value of up to 300 digits; calculate something smaller") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Refused(FORM) from None


def value(node: ast.expr) -> Fraction | float:
    """Return what one node of the syntax tree is worth; one that is not on the list is a `SyntaxError`."""
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return Fraction(str(number))  # by its digits, so that 0.1 is a tenth
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATIONS:
            return OPERATIONS[type(op)](value(operand))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS:
            return OPERATIONS[type(op)](value(left), value(right))
    raise SyntaxError("not a number, a sign or an operation on the list")


def power(base: Fraction | float, exponent: Fraction | float) -> Fraction | float:
    """Return a power: exact where it is whole and short, else to the precision of a float."""
    whole = isinstance(base, Fraction) and isinstance(exponent, Fraction) and exponent.denominator == 1
    if whole and abs(exponent) * ((abs(base.numerator) | base.denominator).bit_length() - 1) <= BITS:
        return base**exponent
    return float(base) ** float(exponent)


OPERATIONS = {ast.UAdd: pos, ast.USub: neg, ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv}
OPERATIONS |= {ast.FloorDiv: floordiv, ast.Mod: mod, ast.Pow: power}
