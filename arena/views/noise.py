"""A calibration as people are shown it."""

from arena.results.noise import FEW, Calibration, Noise
from arena.views.grid import Grid, as_text, columns
from arena.views.text import WIDTH, lag_line, number


def calibration_text(calibration: Calibration) -> str:
    """Return the table of a calibration and what follows from it."""
    few = min(calibration.at_once.decisions, calibration.working.decisions) < FEW
    cpu = calibration.cpu or (None, None)
    of_cpu = f", of its processor time {calibration.least_cpu}" if calibration.cpu else ""
    notes = [
        "milliseconds by which a decision looked longer than the work in it",
        *(["few decisions: calibrate for longer, with --for"] if few else []),
        *([lag_line(calibration.arena)] if calibration.arena else []),
        f"noise floor: {calibration.floor:.1f} ms",
        f"least sensible limit of a decision: {calibration.least} ms{of_cpu}",
    ]
    grid = Grid(
        columns=columns("<bot", ">decisions", ">median", ">99%", ">99.9%", ">longest", ">cpu"),
        rows=(
            _row("answers at once", calibration.at_once, cpu[0]),
            _row(f"works for {calibration.work:.0f} ms", calibration.working, cpu[1]),
        ),
        notes=tuple(notes),
        flexible=0,
    )
    return as_text(grid, WIDTH)


def _row(name: str, noise: Noise, cpu: float | None) -> tuple[str, ...]:
    figures = (noise.median, noise.p99, noise.p999, noise.longest, cpu)
    return (name, str(noise.decisions), *(number(figure, 2) for figure in figures))
