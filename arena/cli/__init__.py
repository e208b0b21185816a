"""The command line. Commands import what they need when they run, so that help is quick."""

import contextlib
import os
import signal
import sys

import click

from arena import __version__
from arena.cli import authors, games, leagues, runs
from arena.commands import completing
from arena.errors import ArenaError

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=SETTINGS)
@click.version_option(__version__, message="arena %(version)s")
def cli() -> None:
    """Play tournaments between card-game bots, written in any language.

    \b
    Example: arena tournament configs/league.toml
    """


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what SHELL reads so that Tab completes the names of games, bots and runs.

    For bash and zsh, have ~/.bashrc or ~/.zshrc say: eval "$(arena completion bash)". For fish,
    keep the output in ~/.config/fish/completions/arena.fish.

    \b
    Example: arena completion bash
    """
    click.echo(completing.script(shell, cli), nl=False)


for command in (
    leagues.init,
    leagues.tournament,
    leagues.plan,
    leagues.calibrate,
    leagues.compare,
    games.match,
    games.play,
    games.games,
    games.rules,
    authors.new,
    authors.build,
    authors.check,
    authors.debug,
    authors.feedback,
    authors.schema,
    runs.standings,
    runs.report,
    runs.watch,
    runs.replay,
    runs.export,
    runs.verify,
    runs.rerun,
):
    cli.add_command(command)


def _make_up_for_the_starter() -> None:
    """Undo what this process may have inherited: ignored ends of children, closed outputs."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))


def main() -> None:
    """Run the command line and exit: 2 usage or configuration, 1 failure, 130 interrupted."""
    _make_up_for_the_starter()
    try:
        cli(prog_name="arena", standalone_mode=False)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except ArenaError as error:
        click.echo(f"arena: {error}", err=True)
        sys.exit(error.exit_code)
    except UnicodeEncodeError as error:
        click.echo(f"arena: {error.object!r} is not UTF-8 text", err=True)
        sys.exit(2)
    except OSError as error:
        with contextlib.suppress(OSError):
            click.echo(f"arena: {error}", err=True)
        sys.exit(1)
