"""The charts of a report: those that its tables allow, each with its words."""

from collections.abc import Mapping
from typing import Final

from analyzer.counted import Table
from reports.field_charts import CHARTS, Picture, pictures
from reports.frames import frame
from reports.report import Chart

MOST_SETTINGS: Final = 2
"""Settings of which what happened in the games is drawn; of more, of the first alone."""

_TITLES: Final = {
    "candidates": "Win share of each candidate",
    "settings": "Before and then",
    "places": "Places before and then",
    "standings": "Win share of each strategy",
    "head-to-head": "Head to head",
    "ratings": "Ratings",
    "scores": "Scores of single games",
    "points": "Where the points come from",
    "bids": "Success of bids against the exact odds",
    "gains-by-bid": "Points gained in a round by bid",
    "gains-by-turn": "Points gained in a round by place in the turn order",
    "players": "Win share by number of players",
    "seats": "Win share by seat",
    "luck": "Luck and skill",
    "mixture": "The mixture that nobody can gain by leaving",
}


class FieldCharts:
    """All charts of the tables of a run.

    Parameters
    ----------
    kind : str
        As the descriptions of columns call the command that made the tables.
    tables : mapping of str to Table
        By name.
    """

    def __init__(self, kind: str, tables: Mapping[str, Table]) -> None:
        frames = {name: frame(f"{kind}/{name}", rows, columns) for name, (columns, rows) in tables.items()}
        apart = {name: each for name, each in frames.items() if "setting" in each}
        once = {name: each for name, each in frames.items() if name not in apart}
        self._found = [("", picture) for picture in pictures(once)]
        settings = list(dict.fromkeys(str(one) for each in apart.values() for one in each["setting"]))
        for setting in settings if len(settings) <= MOST_SETTINGS else settings[:1]:
            here = {name: each[each["setting"] == setting] for name, each in apart.items()}
            self._found += [(setting, picture) for picture in pictures(here)]

    def of(self, kind: str) -> list[Chart]:
        """Return the charts of a kind of :data:`reports.field_charts.CHARTS`, none where there are no figures."""
        return [_chart(kind, setting, picture) for setting, picture in self._found if picture.chart is CHARTS[kind]]


def _chart(kind: str, setting: str, picture: Picture) -> Chart:
    ending = picture.name.removeprefix(kind).strip("-").replace("-", " ")
    where = ", ".join(filter(None, [setting, ending]))
    name = "-".join(filter(None, [picture.name, setting.replace(" ", "-")]))
    tables = " and ".join(f"csv/{table}.csv" for table in picture.chart.tables)
    title = f"{_TITLES[kind]}, {where}" if where else _TITLES[kind]
    return Chart(name, title, f"{picture.chart.says} All its figures are in {tables}.", picture.figure)
