import pytest
from tests.problem_sets import FAMILIES

every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda f: f.name)


@every_family
def test_each_mistake_says_what_is_wrong_and_what_to_look_at(family):
    for mistake in family.mistakes:
        assert mistake.sentence.endswith(".") and mistake.hint.endswith((".", "?")), mistake.id
        assert mistake.settings, mistake.id


@every_family
def test_no_mistake_is_another_one_under_a_second_name(family):
    settings = [sorted(map(repr, mistake.settings.items())) for mistake in family.mistakes]
    assert len(settings) == len({repr(one) for one in settings})


@every_family
def test_a_mistake_is_found_by_its_id(family):
    first = family.mistakes[0]
    assert family[first.id] is first
    with pytest.raises(KeyError, match="no mistake 'none'"):
        family["none"]


def test_two_mistakes_join_unless_they_turn_the_same_knob():
    family = FAMILIES["ps1_soft_lookup", "attention"]
    scale, axis = family["scale-forgotten"], family["softmax-over-queries"]
    joined = scale.joined(axis)
    assert joined.settings == {"scale": "none", "along": "other"}
    assert scale.hint in joined.hint and axis.hint in joined.hint
    assert scale.joined(family["scale-d"]) is None
