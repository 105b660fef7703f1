/// One function per subcommand; each adds its options to the CLI and what to do when it is called.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace pleiad::app {

/// A callback throws pleiad::Error to refuse; its code is the exit code. `result` is set where the exit code
/// is not 0 without an error.
void add_run(CLI::App& app, int& result);
void add_ic(CLI::App& app, int& result);
void add_info(CLI::App& app, int& result);
void add_convert(CLI::App& app, int& result);
void add_config(CLI::App& app, int& result);
void add_accuracy(CLI::App& app, int& result);
void add_bench(CLI::App& app, int& result);
void add_doctor(CLI::App& app, int& result);
void add_tune(CLI::App& app, int& result);
void add_verify(CLI::App& app, int& result);
void add_render(CLI::App& app, int& result);

}  // namespace pleiad::app
