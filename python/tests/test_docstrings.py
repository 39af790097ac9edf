"""`help` says what every public function takes."""

from __future__ import annotations

import inspect
import re

import pytest

import hotset
import hotset.distributed
from hotset._types import ReadingOptions

FUNCTIONS = [name for name in hotset.__all__ if inspect.isroutine(getattr(hotset, name))]
CLASSES = [name for name in hotset.__all__ if inspect.isclass(getattr(hotset, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_explains_each_of_its_arguments(name: str) -> None:
    function = getattr(hotset, name)
    said = inspect.getdoc(function)
    assert said is not None
    arguments = [it for it in inspect.signature(function).parameters if it != "reading"]
    if "reading" in inspect.signature(function).parameters:
        arguments += ReadingOptions.__annotations__
    explained = re.findall(r"^ +([a-z_, ]+): ", said, re.MULTILINE)
    names = [word for words in explained for word in words.split(", ")]
    assert set(arguments) <= set(names), f"{name}: {set(arguments) - set(names)}"
    assert max(map(len, said.splitlines())) <= 130


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_and_its_methods_are_explained(name: str) -> None:
    kind = getattr(hotset, name)
    assert kind.__doc__
    for member, value in vars(kind).items():
        if not member.startswith("_"):
            assert inspect.getdoc(value), f"{name}.{member}"


@pytest.mark.parametrize("name", hotset.distributed.__all__)
def test_what_is_distributed_is_explained(name: str) -> None:
    assert inspect.getdoc(getattr(hotset.distributed, name))
