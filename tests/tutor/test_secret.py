import pytest

from tutor import secret


@pytest.fixture(autouse=True)
def forget_the_notice():
    secret._demo_secret.cache_clear()


def test_seeds_differ_by_grade_id_and_by_secret(tmp_path, monkeypatch):
    seeds = set()
    for text in ("a secret of sixteen bytes or more", "another secret of the same kind"):
        file = tmp_path / "secret"
        file.write_text(text)
        monkeypatch.setenv(secret.VARIABLE, str(file))
        seeds |= {secret.secret_seed("ps1-softmax"), secret.secret_seed("ps1-lookup")}
    assert len(seeds) == 4


def test_a_seed_is_the_same_every_time(monkeypatch):
    monkeypatch.delenv(secret.VARIABLE, raising=False)
    assert secret.secret_seed("ps1-softmax") == secret.secret_seed("ps1-softmax") < 2**64


def test_a_line_end_in_the_file_changes_nothing(tmp_path, monkeypatch):
    file = tmp_path / "secret"
    monkeypatch.setenv(secret.VARIABLE, str(file))
    file.write_text("0123456789abcdef")
    bare = secret.secret_seed("x")
    file.write_text("0123456789abcdef\n")
    assert secret.secret_seed("x") == bare


def test_the_demonstration_secret_is_announced_once_on_stdout(monkeypatch, capsys):
    monkeypatch.delenv(secret.VARIABLE, raising=False)
    secret.secret_seed("a")
    secret.secret_seed("b")
    out, err = capsys.readouterr()
    assert out.count("demonstration secret") == 1 and not err


@pytest.mark.bad_input
def test_a_short_or_missing_secret_is_refused(tmp_path, monkeypatch):
    file = tmp_path / "secret"
    monkeypatch.setenv(secret.VARIABLE, str(file))
    with pytest.raises(FileNotFoundError):
        secret.secret_seed("x")
    file.write_text("too short")
    with pytest.raises(ValueError, match="holds 9 bytes; wanted at least 16"):
        secret.secret_seed("x")
