"""Public docstrings: in numpy's form, consistent with the signatures, and their examples run."""

import doctest
import inspect
import re
import subprocess
import sys
from importlib import import_module

import pytest
from conftest import SOURCE

import isthmus

numpydoc = pytest.importorskip("numpydoc")
from numpydoc.docscrape import get_doc_object  # noqa: E402
from numpydoc.validate import validate  # noqa: E402

# What a docstring may be without: a first line of its own for the quotes (GL01, GL02), a verb without s (SS05), a
# longer summary (ES01), and see also (SA01).
FREE = {"GL01", "GL02", "SS05", "ES01", "SA01"}
MODULES = ("isthmus", "isthmus.models", "isthmus.papers", "isthmus.pictures")
# Errors and the base class of pictures need no example.
WITHOUT_EXAMPLE = ("Error", "BadInput", "Refused", "Missing", "pictures.Picture", "pictures.Picture.savefig")


def public():
    """Functions, classes and their members by name."""
    found = {}
    for module in map(import_module, MODULES):
        names = getattr(module, "__all__", None) or [
            name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__
        ]
        for name in names:
            value = getattr(module, name)
            if name.startswith("_") or inspect.ismodule(value):
                continue
            label = f"{module.__name__}.{name}".removeprefix("isthmus.")
            found[label] = value
            if isinstance(value, type) and not issubclass(value, Exception):
                own = [base for base in value.__mro__ if base.__module__.startswith("isthmus")]
                members = {member for base in own for member in vars(base) if not member.startswith("_")}
                found |= {f"{label}.{member}": getattr(value, member) for member in sorted(members)}
    return found


PUBLIC = public()


def is_of_pybind11(value):
    value = inspect.unwrap(value)
    return inspect.isbuiltin(value) or type(value).__name__ == "instancemethod"


def in_python(function):
    """A function of the module as one of Python: pybind11 puts the signature before the docstring."""
    signature, _, text = function.__doc__.partition("\n")
    arguments, returned = re.fullmatch(r"\w+\((.*)\) -> (.*)", signature).groups()

    def stub():
        return returned

    names = [name for name in re.findall(r"(?:^|, )(\*{0,2}\w+)(?=[:,]|$)", arguments) if name != "self"]
    kinds = inspect.Parameter
    stub.__doc__ = text.strip("\n")
    stub.__signature__ = inspect.Signature(
        [kinds(name.strip("*"), kinds.VAR_KEYWORD if "*" in name else kinds.POSITIONAL_OR_KEYWORD) for name in names]
    )
    return stub


@pytest.mark.parametrize("name", PUBLIC)
def test_it_is_in_numpys_form(name):
    value = PUBLIC[name]
    has_example = callable(value) and name not in WITHOUT_EXAMPLE
    errors = validate(get_doc_object(in_python(value) if is_of_pybind11(value) else value))["errors"]
    free = FREE if has_example else FREE | {"EX01"}
    assert [message for code, message in errors if code not in free] == []


@pytest.mark.parametrize("name", ["__doc__", *PUBLIC])
def test_its_examples_run(name, tmp_path, monkeypatch):
    (tmp_path / "platforms").symlink_to(SOURCE / "platforms")
    monkeypatch.chdir(tmp_path)
    das = isthmus.Platform("platforms/kielmann2000/das-4x4.xml")
    text = isthmus.__doc__ if name == "__doc__" else inspect.getdoc(PUBLIC[name])
    example = doctest.DocTestParser().get_doctest(text, {"isthmus": isthmus, "das": das}, name, None, 0)
    said = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=said.append)
    assert not said, "".join(said)


def test_shared_descriptions_are_filled_in():
    assert [name for name, value in PUBLIC.items() if re.search(r"^ *\{\w.*\}$", value.__doc__ or "", re.M)] == []
    assert "root : int\n            The rank of the root, for" in isthmus.Platform.simulate.__doc__


def test_the_package_works_without_docstrings():
    code = "import isthmus; print(isthmus.Platform.simulate.__doc__, isthmus.pictures.timeline.__doc__)"
    done = subprocess.run([sys.executable, "-OO", "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stdout == "None None\n", done.stderr


def test_the_stub_says_what_the_module_has(tmp_path):
    pytest.importorskip("mypy")
    words = [sys.executable, "-m", "mypy.stubtest", "--concise", "isthmus._core"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert "isthmus._core" in done.stdout, done.stdout + done.stderr
    # What every class of pybind11 has, and no stub can say.
    of_pybind11 = ("metaclass differs", '__init__ is inconsistent, stub does not have *args argument "args"')
    assert [line for line in done.stdout.splitlines() if not line.endswith(of_pybind11)] == []
