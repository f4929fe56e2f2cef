"""A view in plain Python, written from the design page: what uncompiled policies are asked with."""

from dataclasses import asdict
from types import SimpleNamespace

import numpy as np

from analyzer.wool_rules.terms import Terms


def plain_view(terms: Terms, at: int, faces: np.ndarray, held: int | None, draws: tuple[float, ...]) -> SimpleNamespace:
    """Return the view of a situation of dice action number `at`; `held` is the die set aside before, if any."""
    total, modifier = int(faces.sum()), int(terms.modifier[at])
    seat = SimpleNamespace(chips=int(terms.chips[at]), modifier=modifier, bid=int(terms.bid[at]))
    return SimpleNamespace(
        me=0,
        attempt=1 if held is None else 2,
        target=int(terms.target[at]),
        dice=[int(face) for face in faces],
        held=[int(die == held) for die in range(3)],
        result=total + min(modifier, 0),
        help=max(int(terms.target[at]) - total - modifier, 0),
        draws=draws,
        rules=SimpleNamespace(**asdict(terms.rules)),
        seats=[seat],
    )
