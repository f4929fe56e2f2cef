"""Who beats whom in circles."""

import numpy as np
from numpy.typing import NDArray


def three_cycles(beats: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Return all triples of strategies that beat each other in a circle: a beats b, b beats c, c beats a.

    Parameters
    ----------
    beats : bool array, shape (strategies, strategies)
        Whether the first is clearly better than the second head to head (Holm's procedure over all pairs).

    Returns
    -------
    list of (a, b, c)
        Each circle once, beginning with its first strategy, in ascending order.
    """
    circles = np.argwhere(beats[:, :, None] & beats[None, :, :] & beats.T[:, None, :])
    return [(int(a), int(b), int(c)) for a, b, c in circles if a < min(b, c)]


def circles(beats: NDArray[np.bool_]) -> list[list[int]]:
    """Return the groups of strategies in which a chain of clear wins leads from each to each other and back.

    Groups of one are left out. The strongly connected components of the graph of clear wins: a strategy in none of
    them is in no cycle of any length.
    """
    return [group.tolist() for group in _components(beats) if len(group) > 1]


def top_cycles(beats: NDArray[np.bool_]) -> list[list[int]]:
    """Return the smallest groups of strategies that nobody outside beats clearly; most often one strategy each.

    Where every pair is decided there is only one, the top cycle or Smith set; together they are the Schwartz set
    (T. Schwartz, "The Logic of Collective Choice", 1986).
    """
    groups = _components(beats)
    return [group.tolist() for group in groups if not np.delete(beats[:, group], group, axis=0).any()]


def _components(beats: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """Return the strongly connected components, each ascending, in the order of their first strategies."""
    from scipy.sparse.csgraph import connected_components

    number, labels = connected_components(beats, connection="strong")
    groups = [np.flatnonzero(labels == label) for label in range(number)]
    return sorted(groups, key=lambda group: int(group[0]))
