# `make demo` runs the main job, `make check` passes the tests. Both work on a machine with a Rust toolchain alone; where node or python3 is
# there too, the official MCP clients are installed into tests/clients and drive the server as well.

CARGO ?= cargo

# Where the static binary of `make dist` lies.
STATIC = target/x86_64-unknown-linux-musl/release/callslip

.PHONY: demo check fmt lint test audit audit-compare audit-page task-tokens docs clients servers write snapshots dist bench bench-search bench-peers guard guard-write growth

demo:
	$(CARGO) run --quiet -- demo

check: fmt lint clients test audit docs

fmt:
	$(CARGO) fmt --all -- --check

lint:
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings

test:
	$(CARGO) test --workspace --quiet

audit:
	$(CARGO) run --quiet -p audit -- --check

# What a change costs, as Markdown: `make audit-compare REVISION=main`.
REVISION ?= main
audit-compare:
	audit/at-revision $(REVISION) > target/tokens-before.json
	$(CARGO) run --quiet -p audit -- --compare target/tokens-before.json

# A page to look at.
audit-page:
	$(CARGO) run --quiet -p audit -- --html target/tokens.html

# What a model receives in all over the tasks in benches/tasks.
task-tokens:
	$(CARGO) build --quiet -p callslip -p audit
	$(CARGO) run --quiet -p audit --bin task_tokens

docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet

# The static binary with the measured profile, its functions in the order of benches/order/cc. Needs
# `rustup target add x86_64-unknown-linux-musl` and musl-gcc (Debian: musl-tools); with valgrind it starts faster.
dist:
	@rustup target list --installed | grep -q x86_64-unknown-linux-musl || { echo "first: rustup target add x86_64-unknown-linux-musl"; exit 1; }
	@command -v musl-gcc >/dev/null || { echo "first: install musl-gcc (Debian: apt-get install musl-tools)"; exit 1; }
	CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER=$(CURDIR)/benches/order/cc \
		$(CARGO) build --release --target x86_64-unknown-linux-musl
	@ls -l $(STATIC)

# Find, project, validate, render and encode each alone, then a whole start, call and server beside peers.
bench:
	$(CARGO) bench --bench parts
	$(CARGO) bench --bench start
	$(CARGO) bench --bench call
	$(CARGO) bench --bench serve
	$(MAKE) bench-search
	$(CARGO) bench --quiet --manifest-path benches/peers/Cargo.toml

# The search beside its peers: the two tables of BENCHMARKS.md. RETRIEVAL_DATA names the folder of the query sets; without one the queries
# are made of the catalog. The first build takes minutes: tantivy is one of the peers.
bench-search:
	$(CARGO) run --release --quiet --manifest-path benches/peers/Cargo.toml

# Other servers of the same API, made from its OpenAPI document: `make bench-peers DOCUMENT=openapi.json`. They are installed by pinned
# version into target/peers.
bench-peers:
	@[ -n "$(DOCUMENT)" ] || { echo "say which document: make bench-peers DOCUMENT=openapi.json"; exit 1; }
	benches/peers/install target/peers "$(DOCUMENT)"
	CALLSLIP_PEERS="$$(cat target/peers/servers)" $(CARGO) bench --quiet --bench beside

# Fails when a start, a list, a search or a call costs many more instructions than recorded in benches/instructions.json. Needs valgrind.
GUARD = CARGO_PROFILE_BENCH_LTO=off CARGO_PROFILE_BENCH_CODEGEN_UNITS=16 $(CARGO) bench --quiet --bench instructions
guard:
	$(GUARD)

guard-write:
	$(GUARD) -- --write

# Compiled files of 416, 5,000 and 50,000 actions: benches/growth.csv, and benches/growth.svg drawn from it.
growth:
	$(CARGO) bench --bench growth

# Everything generated, written anew: the README's figures, the tool-list snapshots, the digest of parameters and docs/actions.md.
write: snapshots
	$(CARGO) run --quiet -p audit -- --write

snapshots:
	CALLSLIP_SNAPSHOTS=write $(CARGO) test --quiet --test it snapshot
	CALLSLIP_SNAPSHOTS=write $(CARGO) test --quiet -p audit --test it nothing_is_lost

# Real servers that the audit is tested against, pinned, in a folder of the project; their tests are skipped where these are not installed.
servers:
	npm ci --prefix audit/tests/servers --no-audit --no-fund --silent
	python3 -m venv audit/tests/servers/.venv
	audit/tests/servers/.venv/bin/pip install --quiet --disable-pip-version-check --requirement audit/tests/servers/requirements.txt

# The official clients, pinned by lock files, in folders of the project. Without node or python3 their tests are skipped and say so.
clients:
	@if command -v npm >/dev/null 2>&1; then \
		[ tests/clients/node_modules/.package-lock.json -nt tests/clients/package-lock.json ] || \
		npm ci --prefix tests/clients --no-audit --no-fund --silent; \
	else echo "node is not here: the TypeScript client tests will be skipped"; fi
	@if command -v python3 >/dev/null 2>&1 && python3 -m venv --help >/dev/null 2>&1; then \
		[ tests/clients/.venv/installed -nt tests/clients/requirements.txt ] || { \
		python3 -m venv tests/clients/.venv && \
		tests/clients/.venv/bin/pip install --quiet --disable-pip-version-check --requirement tests/clients/requirements.txt && \
		touch tests/clients/.venv/installed; }; \
	else echo "python3 is not here: the Python client tests will be skipped"; fi
