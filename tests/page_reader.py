"""What an odds page has embedded, read back by other means than the page's script."""

import base64
import json
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray


def embedded(page: str) -> dict[str, Any]:
    """Return the data of a page as its script gets them."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data = json.loads(found[1])
    assert isinstance(data, dict)
    return data


class Reader:
    """Looks up figures of many questions at once."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self._indexes = [
            (index["shape"], _numbers(index["lists"]), _numbers(index["list"])) for index in data["indexes"]
        ]
        self._tables = {
            name: (table["index"], _numbers(table["rows"]).reshape(-1, table["width"]))
            for name, table in data["tables"].items()
        }

    def figures(self, name: str, *asked: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of questions given by goal, target, modifier and chips (places on the axes), (width, B)."""
        which, rows = self._tables[name]
        shape, lists, of_question = self._indexes[which]
        goal, target, modifier, chips = (
            place if length > 1 else 0 * place for place, length in zip(asked, shape, strict=True)
        )
        from_there = of_question.reshape(shape[:3])[goal, target, modifier]
        return rows[lists.reshape(-1, shape[3])[from_there, chips]].T


def _numbers(packed: list[str]) -> NDArray[np.int64]:
    kind, text = packed
    return np.frombuffer(base64.b64decode(text), f"<{kind}").astype(np.int64)
