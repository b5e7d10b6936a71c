"""The public names: sorted, complete, and each documented."""

import types

import sweepcheck


def test_all_is_sorted_and_complete() -> None:
    assert sorted(sweepcheck.__all__) == sweepcheck.__all__
    public = {
        name
        for name, value in vars(sweepcheck).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    assert public | {"colours"} == set(sweepcheck.__all__)  # a module that is offered as a whole


def test_every_public_name_is_documented() -> None:
    assert [name for name in sweepcheck.__all__ if not getattr(sweepcheck, name).__doc__] == []


def test_version_is_the_package_s() -> None:
    from importlib.metadata import version

    assert sweepcheck.__version__ == version("sweepcheck")
