"""Help texts: exact, with an example in each."""

import re

import click
import pytest
from click.testing import CliRunner
from snapshots import same_as_snapshot

from arena.cli import cli

COMMANDS = sorted(cli.commands)


def shown(*words: str) -> str:
    result = CliRunner(env={"COLUMNS": "80"}).invoke(cli, words, prog_name="arena")
    assert result.exit_code == 0
    return result.output


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command(command: str) -> None:
    same_as_snapshot(f"help-{command}", shown(command, "--help"))


def test_the_help_of_all() -> None:
    same_as_snapshot("help", shown("--help"))


@pytest.mark.parametrize("command", [(), *((command,) for command in COMMANDS)])
def test_h_is_help_and_every_help_has_an_example(command: tuple[str, ...]) -> None:
    text = shown(*command, "-h")
    assert text == shown(*command, "--help")
    assert re.search(rf"Example: arena {' '.join(command)}", text)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_every_example_names_options_that_there_are(command: str) -> None:
    example = re.search(r"Example: (.*)", shown(command, "-h"))
    assert example
    known = {name for option in cli.commands[command].params for name in option.opts}
    assert set(re.findall(r"--\w+", example[1])) <= known


def test_every_option_says_what_it_does() -> None:
    silent = [
        (command, option.opts)
        for command in COMMANDS
        for option in cli.commands[command].params
        if isinstance(option, click.Option) and not option.help
    ]
    assert silent == []


def test_the_version() -> None:
    assert re.fullmatch(r"arena \d+\.\d+\.\d+\n", shown("--version"))
