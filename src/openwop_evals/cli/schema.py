"""``schema``: print a packaged schema."""

import click

from openwop_evals._contract import schema_folder

from .outcome import Outcome

__all__ = ["schema"]


def _files() -> dict[str, str]:
    """The packaged schemas by name: the file's name without its endings."""
    folder = schema_folder()
    return {
        path.name.removesuffix(".schema.json"): path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*.schema.json"))
    }


@click.command()
@click.argument("name", type=click.Choice(list(_files())), metavar="NAME")
def schema(*, name: str) -> Outcome:
    """Print the packaged schema NAME as JSON."""
    return Outcome(result=(schema_folder() / _files()[name]).read_bytes())
