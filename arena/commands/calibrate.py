"""Find out how much shorter than a machine's noise no time limit should be."""

from pathlib import Path

import click
import msgspec
from msgspec.structs import asdict, replace

from arena.commands.match import sandbox_of
from arena.config import load_league
from arena.league import floors
from arena.league.calibration import calibrate
from arena.model import League, Level, Limits, Terms
from arena.results.noise import Calibration
from arena.views.noise import calibration_text
from arena.words import plural

_USUAL = League(
    name="calibration",
    seed="",
    seats=(4,),
    terms=Terms(game="leaves"),
    format="round-robin",
    format_options={},
    entrants=(),
)
"""What is played where there is no league file."""


def calibrate_machine(
    config: Path | None,
    *,
    workers: int | None,
    seconds: float,
    level: Level | None,
    as_json: bool,
) -> None:
    """Play calibration bots, print what they met, and keep it for leagues of the same kind."""
    league = load_league(config, workers=workers) if config else replace(_USUAL, workers=workers)
    sandbox = sandbox_of(level, league.terms.sandbox if config else None)
    league = replace(league, terms=replace(league.terms, sandbox=sandbox))
    if not as_json:
        click.echo(f"arena: calibrating for {seconds:g} s", err=True)
    calibration = calibrate(league, _say, seconds)
    kept, limits = _keep(calibration), league.terms.limits
    if as_json:
        click.echo(_json(calibration, limits if config else None))
        return
    click.echo(calibration_text(calibration), nl=False)
    click.echo(f"\n{kept}")
    for warning in floors.warnings(calibration, limits) if config else ():
        click.echo(f"{config}: {warning}")


def _say(text: str) -> None:
    if not text.startswith("sandbox: "):
        click.echo(f"arena: {text}", err=True)


def _keep(calibration: Calibration) -> str:
    try:
        path = floors.remember(calibration)
    except OSError as error:
        click.echo(f"arena: {floors.store()} cannot be written: {error.strerror}", err=True)
        return "it is not kept"
    how = "pinned" if calibration.pin else "not pinned"
    return (
        f"kept in {path} for leagues with {plural(calibration.workers, 'worker')}, {how}, "
        f"and the sandbox {calibration.sandbox}"
    )


def _json(calibration: Calibration, limits: Limits | None) -> str:
    within = calibration.within(limits) if limits else {}
    figures = {
        "floor": calibration.floor,
        "least": calibration.least,
        "least_cpu": calibration.least_cpu,
        "within": {key: ms for key, (ms, _) in within.items()},
    }
    document = {**asdict(calibration), **figures}
    return msgspec.json.format(msgspec.json.encode(document)).decode()
