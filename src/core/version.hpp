/// The version, as in checkpoints, caches and headers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pleiad {

/// "0.1.0".
const char* version();

}  // namespace pleiad
