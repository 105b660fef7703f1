/// The threads of the live view.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>
#include <thread>

namespace pleiad::live {

/// A thread that takes no signals: these are for the thread that runs. ResourceError, which names what it is
/// for, where none can be had.
std::thread started_without_signals(std::function<void()> work, std::string_view what);

}  // namespace pleiad::live
