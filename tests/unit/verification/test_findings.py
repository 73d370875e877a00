"""When a number that a host wrote is the one that it should be."""

from math import nextafter

import pytest

from openwop_evals import Finding
from openwop_evals.verification.findings import is_consistent


@pytest.mark.parametrize(
    ("reported", "exact"),
    [
        pytest.param(0.7, 0.7, id="the same"),
        pytest.param(0.6999999999999998, 0.7, id="added as floats"),
        pytest.param(0.123456789012, 0.123456789912, id="within 1e-9"),
        pytest.param(0.3333, 1 / 3, id="four decimals"),
        pytest.param(0.6667, 2 / 3, id="four decimals, rounded up"),
        pytest.param(0.66667, 2 / 3, id="five decimals"),
        pytest.param(0.6666667, 2 / 3, id="seven decimals"),
        pytest.param(0.25, 0.25001, id="a 0 that is not written: 0.2500"),
        pytest.param(0.123, 0.12304, id="a 0 that is not written: 0.1230"),
        pytest.param(0.5, 0.50004, id="zeros that are not written: 0.5000"),
        pytest.param(1.0, 0.99996, id="1.0000"),
        pytest.param(1, 0.99996, id="1"),
        pytest.param(0.0, 0.00004, id="0.0000"),
        pytest.param(0.1234, 0.12345, id="a half, rounded down"),
        pytest.param(0.1235, 0.12345, id="a half, rounded up"),
        pytest.param(0.0, 0.00005, id="a half, rounded to even"),
        pytest.param(0.12345, 0.123455, id="a half at five decimals"),
        pytest.param(0.12346, 0.123455, id="a half at five decimals, rounded up"),
        pytest.param(1e-05, 1.4e-05, id="five decimals, by exponent"),
        pytest.param(1.5e-07, 1.499e-07, id="eight decimals, by exponent"),
        pytest.param(5e-324, 0.0, id="the least double"),
        pytest.param(1e22, 1e22, id="a positive exponent"),
    ],
)
def test_what_adding_or_rounding_explains(reported: float, exact: float) -> None:
    assert is_consistent(reported, exact)


@pytest.mark.parametrize(
    ("reported", "exact"),
    [
        pytest.param(0.123456789012, 0.123456790112, id="beyond 1e-9"),
        pytest.param(0.3334, 1 / 3, id="four decimals"),
        pytest.param(0.6666, 2 / 3, id="four decimals, cut off"),
        pytest.param(0.33, 1 / 3, id="two decimals"),
        pytest.param(0.333, 1 / 3, id="three decimals"),
        pytest.param(0.33334, 1 / 3, id="five decimals"),
        pytest.param(0.25001, 0.25, id="five decimals that are not there"),
        pytest.param(0.25, 0.25006, id="more than half of the fourth"),
        pytest.param(0.1234, 0.1234501, id="just over a half"),
        pytest.param(0.1235, 0.1234499, id="just under a half"),
        pytest.param(0.12345, 0.1234551, id="just over a half at five decimals"),
        pytest.param(1e-05, 1.6e-05, id="five decimals, by exponent"),
        pytest.param(0.0, 0.0001, id="nothing"),
        pytest.param(1e22, 2e22, id="a positive exponent"),
    ],
)
def test_what_neither_explains(reported: float, exact: float) -> None:
    assert not is_consistent(reported, exact)


def test_1e_9_is_the_least_that_is_forgiven() -> None:
    reported = 0.1234567890123
    assert is_consistent(reported, reported + 0.999999e-9)
    assert not is_consistent(reported, reported + 1.000001e-9)


def test_a_double_beside_half_a_unit_is_forgiven() -> None:
    assert is_consistent(0.1234, nextafter(0.12345, 1))
    assert is_consistent(0.1235, nextafter(0.12345, 0))


def test_a_finding_in_words() -> None:
    finding = Finding(code="passed", pointer="/passed", expected=True, found=False, section="RFC 1")
    assert str(finding) == "passed: expected True, found False (RFC 1)"
