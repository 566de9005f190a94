"""All attacks."""

from tests.attacks import breaks, fairness, gains, harms, leaks, stops
from tests.attacks.entry import Attack

BY_AIM: dict[str, tuple[Attack, ...]] = {
    "gains": gains.ATTACKS,
    "leaks": leaks.ATTACKS,
    "harms": harms.ATTACKS,
    "stops": stops.ATTACKS,
    "breaks": breaks.ATTACKS,
    "fairness": fairness.ATTACKS,
}
ALL = tuple(attack for attacks in BY_AIM.values() for attack in attacks)
