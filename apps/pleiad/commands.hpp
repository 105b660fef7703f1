/// One function per subcommand; each adds its options and its action to the command line.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.hpp"

namespace pleiad::app {

/// A callback throws pleiad::Error to refuse; its code is the exit code. `result` is set where the exit code
/// is not 0 without an error.
void add_run(Command app, int& result);
void add_ic(Command app, int& result);
void add_info(Command app, int& result);
void add_convert(Command app, int& result);
void add_config(Command app, int& result);
void add_accuracy(Command app, int& result);
void add_bench(Command app, int& result);
void add_doctor(Command app, int& result);
void add_tune(Command app, int& result);
void add_verify(Command app, int& result);
void add_render(Command app, int& result);
void add_plot(Command app, int& result);
void add_analyse(Command app, int& result);
void add_converge(Command app, int& result);
void add_view(Command app, int& result);
/// Last: it lists the commands before it.
void add_completion(Command app, int& result);

}  // namespace pleiad::app
