"""`woolsim strategies`: what is known about the built-in rules."""

import click

from reports.cli.options import table_format
from reports.cli.show import show_rows


@click.group("strategies", context_settings={"help_option_names": ["-h", "--help"]})
def strategies_group() -> None:
    """List the built-in rules."""


@strategies_group.command("list")
@click.option("--slot", type=click.Choice(["hold"]), default="hold", show_default=True, help="Which decision.")
@table_format
def list_command(slot: str, style: str) -> None:
    """Name the rules with one line each.

    \b
    woolsim strategies list --slot hold
    woolsim strategies list --format csv
    """  # noqa: D301
    from strategies.registry import hold_entries

    rows = [
        {
            "name": entry.name,
            "slot": slot,
            "parameters": ",".join(f"{name}={default:g}" for name, default in entry.parameters.items()),
            "summary": entry.summary,
        }
        for entry in hold_entries()
    ]
    if style == "table":
        width = max(len(str(row["name"])) for row in rows)
        for row in rows:
            click.echo(f"{row['name']:<{width}}  {row['summary']}")
        click.echo("\nParameters and their defaults:")
        for row in rows:
            if row["parameters"]:
                click.echo(f"{row['name']:<{width}}  {row['parameters']}")
        click.echo("\nA rule of your own: --hold FILE.py:NAME[:param=value,...]")
    else:
        show_rows(rows, tuple(rows[0]), style)
