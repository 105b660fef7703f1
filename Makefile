# Two commands: `make demo` and `make test`. Each installs what is missing (Debian packages as root or with sudo; Python packages
# in .venv) and says so.
.PHONY: help build demo test test-all python deb docs asan tsan fuzz mutants lint format bench gpu clean

help:
	@echo "make demo   build Pleiad, simulate the merger of two galaxies, and write pictures, a movie, an energy plot and snapshots to demo/"
	@echo "make test   build and run the tests, without what takes long"
	@echo "make test-all  every test at every size; compile for GPUs, too, where there is nvcc"
	@echo "make build  build only: $(pleiad)"
	@echo "make python build the Python package and install it in .venv"
	@echo "make deb    a Debian package of the program and the library, in build/deb"
	@echo "make docs   the documentation as a site, searchable without a server: build/site/index.html"
	@echo "make bench  measure every kernel on this machine: tables, JSON and plots in bench-results/"
	@echo "make gpu    test and measure everything on this machine's GPU"
	@echo "make asan   the tests under the address and undefined-behaviour sanitizers"
	@echo "make tsan   the fast tests that use threads, under the thread sanitizer"
	@echo "make fuzz   every fuzz target of tests/fuzz for FUZZ_SECONDS=120"
	@echo "make mutants  makes known mistakes one by one and demands that a test notices each"
	@echo "make lint   clang-tidy over the sources; make format: clang-format"

# With kernels for GPUs where there are a GPU and nvcc.
preset := $(shell command -v nvcc >/dev/null && nvidia-smi -L >/dev/null 2>&1 && echo release-cuda || echo release)
pleiad := build/$(preset)/apps/pleiad/pleiad

build:
	@tools/packages build
	@cmake --preset $(preset) >build.log 2>&1 || { tail -n 30 build.log; exit 1; }
	@cmake --build --preset $(preset)
	@rm -f build.log

# A demo that is complete, and as new as the program, is not made again.
demo:
	@[ -x $(pleiad) ] || echo "Installing what is missing and compiling takes 4 to 10 minutes on two cores; the simulation after that about one minute."
	@tools/packages build demo
	@$(MAKE) --no-print-directory build
	@[ demo/merger.png -nt $(pleiad) ] || { rm -rf demo && $(pleiad) run problems/merger/problem.toml --output demo && \
	  cp "$$(ls demo/pictures/frame_*.png | tail -n 1)" demo/merger.png; }
	@echo
	@echo "The picture:      demo/merger.png"
	@echo "The energy plot:  demo/energy.png"
	@echo "The snapshots:    demo/snapshots ($$(ls demo/snapshots/*.hdf5 | wc -l) files)"
	@[ ! -f demo/movie.mp4 ] || echo "The movie:        demo/movie.mp4"
	@echo "To watch it:      $(pleiad) view demo"

test:
	@tools/packages build test ranks
	@tools/test

test-all:
	@tools/packages build test ranks
	@tools/test --all

python:
	@tools/packages build python
	@tools/python install

# For all processors of this architecture.
deb:
	@tools/packages build deb
	@cmake --preset release -B build/deb -DPLEIAD_OLD_PROCESSORS=ON >build.log 2>&1 || { tail -n 30 build.log; exit 1; }
	@cmake --build build/deb --target pleiad pleiad_shared pleiad_static
	@rm -f build/deb/*.deb && (cd build/deb && cpack -G DEB) >build.log 2>&1 || { tail -n 30 build.log; exit 1; }
	@rm -f build.log
	@ls build/deb/*.deb

docs:
	@tools/packages docs
	@python3 tools/make_site.py --install
	@$(MAKE) --no-print-directory build
	@python3 tools/make_site.py --pleiad $(pleiad) --package build/$(preset)/python

asan:
	@tools/packages build test
	@cmake --preset asan && cmake --build --preset asan && ctest --preset asan -j"$$(nproc)"

tsan:
	@tools/packages build test
	@cmake --preset tsan && cmake --build --preset tsan && ctest --preset tsan -j"$$(nproc)"

fuzz:
	@tools/packages build fuzz
	@tools/fuzz

mutants:
	@tools/packages build test
	@tools/mutants

lint:
	@tools/packages build test
	@tools/lint

format:
	@git ls-files '*.cpp' '*.hpp' '*.ipp' '*.h' '*.cu' '*.c' | xargs clang-format -i

bench: build
	@tools/bench $(pleiad)

gpu:
	@tools/packages build test
	@tools/gpu_check

clean:
	@rm -rf build demo .venv
