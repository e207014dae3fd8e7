# `make test` and `make demo` each work as the only command on a machine with python3, pip and venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# mypy sees the checkout as `jitscope` through a link, so the folder of the clone may have any name.
TYPING := $(VENV)/typing
MYPY := ../bin/mypy --config-file ../../pyproject.toml
EXAMPLES := mandelbrot digits_softmax denoise scopes mnist_softmax_jit lstm

# Comparisons with JAX (600 MB) have an environment of their own.
JAX := .venv-jax
# CUDA's compilers (460 MB) too. No GPU is needed: kernels are compiled to PTX, and simulated.
CUDA := .venv-cuda
# Tests in a browser have Playwright, which drives a Chromium of the system's.
BROWSER := .venv-browser

.PHONY: docs quick oldest package test test-jax test-cuda test-browser soak fuzz series parity demo bench golden lint format clean

test: lint
	$(BIN)/pytest -n 2 --dist worksteal -q

# Some of all: what another Python, or another version of a library, would break first.
QUICK := codegen/test_products.py runtime/test_cache.py gradients/test_api.py tools test_itertools.py test_order_of_lists.py \
	test_heaps.py test_zip_of_rows.py test_imports.py
quick: $(READY)
	cd tests && ../$(BIN)/pytest -n 2 -q $(QUICK)

# The oldest versions that pyproject.toml allows, in an environment of their own.
OLDEST := .venv-oldest
oldest: $(OLDEST)/.ready
	cd tests && ../$(OLDEST)/bin/pytest -n 2 -q $(filter-out tools,$(QUICK))

# Wheel and source archive: built, checked, and tried in an environment that has nothing else.
package: $(READY)
	rm -rf build dist .venv-package
	$(BIN)/python -m pip install --quiet build twine
	$(BIN)/python -m build --outdir dist .
	$(BIN)/twine check --strict dist/*
	$(PYTHON) -m venv .venv-package
	.venv-package/bin/pip install --quiet dist/*.whl
	cd dist && JITSCOPE_CACHE_DIR= ../.venv-package/bin/jitscope doctor
	cd dist && JITSCOPE_CACHE_DIR= ../.venv-package/bin/jitscope run ../examples/gray_scott.py 24
	rm -rf .venv-package

test-jax: $(JAX)/.ready
	$(JAX)/bin/pytest -q tests/jax

test-cuda: $(CUDA)/.ready
	$(CUDA)/bin/pytest -q tests/cuda/check_ptx.py tests/cuda/test_simulator.py

# The report and the site in a Chromium, which the system has to have (apt install chromium).
test-browser: $(BROWSER)/.ready
	$(BROWSER)/bin/pytest -q tests/browser

soak: $(READY)
	$(BIN)/pytest tests/soak -q --timeout 1800

# `make fuzz N=500 SEED=0 JOBS=2`: random programs; one that fails is made small and becomes a test.
N ?= 500
SEED ?= 0
JOBS ?= 2
# Who writes them: grammar, sizes, vectors, matrices, numbers, arrays, recursions, states, layouts or derivations.
WRITER ?= grammar
fuzz: $(READY)
	cd tests && ../$(BIN)/python -m fuzz.run $(N) --seed $(SEED) --jobs $(JOBS) --writer $(WRITER)

# `make series PROGRAMS=9600 SEED=0`: all writers in turns, with a table in the end; with the same folder it goes on
# where it was stopped.
PROGRAMS ?= 9600
FOLDER ?= /tmp/series
series: $(READY)
	cd tests && ../$(BIN)/python -m fuzz.series $(PROGRAMS) --seed $(SEED) --jobs $(JOBS) --folder $(FOLDER)

# `make parity SEED=0 JOBS=2`: calls of every public function of NumPy's, compared with NumPy.
parity: $(READY)
	cd tests && ../$(BIN)/python -W ignore -m surface.parity --seed $(SEED) --jobs $(JOBS)

demo: $(READY)
	@set -e; for name in $(EXAMPLES); do $(BIN)/python examples/$$name.py; done
	@echo; $(BIN)/jitscope report -o examples/out/gray_scott.jitscope.html examples/gray_scott.py

# The site, in docs/_build/html; what the figures' picture is drawn with isn't needed for it.
docs: $(READY)
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html
	@echo docs/_build/html/index.html

bench: $(READY)
	$(BIN)/python benchmarks/run.py

golden: $(READY)
	$(BIN)/pytest tests/test_golden.py tests/autograph/test_convert_golden.py \
		tests/cuda/test_cuda_golden.py tests/test_documents.py tests/test_rooms_picture.py \
		tests/test_language.py tests/test_numpy_surface.py tests/gradients/test_docs.py --update-golden -q

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	cd $(TYPING) && $(MYPY)
	cd $(TYPING) && $(MYPY) --strict --follow-imports=silent ../../tests/typed/assertions.py
	cd $(TYPING) && MYPYPATH=../../examples $(MYPY) --explicit-package-bases ../../examples/*.py
	cd $(TYPING) && MYPYPATH=../../benchmarks $(MYPY) --explicit-package-bases ../../benchmarks/*.py

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(READY): pyproject.toml
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	mkdir -p $(TYPING)
	ln -s ../.. $(TYPING)/jitscope
	touch $(READY)

$(OLDEST)/.ready: pyproject.toml
	rm -rf $(OLDEST)
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --editable '.[dev]' numpy==2.0.2 numba==0.63.1 gast==0.6.0 astunparse==1.6.3
	touch $(OLDEST)/.ready

$(JAX)/.ready: pyproject.toml
	rm -rf $(JAX)
	$(PYTHON) -m venv $(JAX)
	$(JAX)/bin/python -m pip install --quiet --editable '.[jax]'
	touch $(JAX)/.ready

$(BROWSER)/.ready: pyproject.toml
	rm -rf $(BROWSER)
	$(PYTHON) -m venv $(BROWSER)
	$(BROWSER)/bin/python -m pip install --quiet --editable '.[browser]'
	touch $(BROWSER)/.ready

$(CUDA)/.ready: pyproject.toml
	rm -rf $(CUDA)
	$(PYTHON) -m venv $(CUDA)
	$(CUDA)/bin/python -m pip install --quiet --editable '.[cuda]' pytest pytest-timeout pillow scikit-learn
	touch $(CUDA)/.ready

clean:
	rm -rf $(VENV) $(JAX) $(CUDA) $(BROWSER) $(OLDEST) .venv-package build dist docs/_build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis examples/out
