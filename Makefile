# Two commands: `make demo` and `make test`. Each installs what is missing (Debian packages as root or with sudo; Python packages
# in .venv) and says so.
.PHONY: help build demo test asan lint format bench clean

help:
	@echo "make demo   build Pleiad, let two galaxies meet, leave a picture, an energy plot and snapshots in demo/"
	@echo "make test   build and run all tests"
	@echo "make build  build only: build/release/apps/pleiad/pleiad"
	@echo "make bench  measure the direct kernels on this CPU"
	@echo "make asan   the tests under the address and undefined-behaviour sanitizers"
	@echo "make lint   clang-tidy over the sources; make format: clang-format"

pleiad := build/release/apps/pleiad/pleiad

build:
	@tools/packages build
	@cmake --preset release >build.log 2>&1 || { tail -n 30 build.log; exit 1; }
	@cmake --build --preset release
	@rm -f build.log

demo: build
	@rm -rf demo
	@$(pleiad) run problems/encounter/problem.toml --output demo
	@cp "$$(ls demo/pictures/frame_*.png | tail -n 1)" demo/encounter.png
	@echo
	@echo "The picture:      demo/encounter.png"
	@echo "The energy plot:  demo/energy.png"
	@echo "The snapshot:     $$(ls demo/snapshots/*.hdf5 | tail -n 1)"
	@[ ! -f demo/movie.mp4 ] || echo "The movie:        demo/movie.mp4"

test:
	@tools/packages build test
	@tools/test

asan:
	@tools/packages build test
	@cmake --preset asan && cmake --build --preset asan && ctest --preset asan -j2

lint:
	@tools/packages build test
	@tools/lint

format:
	@git ls-files '*.cpp' '*.hpp' '*.ipp' '*.h' '*.cu' '*.c' | xargs clang-format -i

bench: build
	@tools/bench_cpu

clean:
	@rm -rf build demo .venv
