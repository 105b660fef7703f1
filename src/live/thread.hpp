/// The threads of the live view.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>
#include <thread>

namespace pleiad::live {

/// Starts a thread that takes no signals: these are for the main thread. ResourceError, which names the
/// purpose `what`, if no thread can be started.
std::thread started_without_signals(std::function<void()> work, std::string_view what);

}  // namespace pleiad::live
