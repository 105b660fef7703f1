/// One public header, before anything else and twice: it must bring what it needs, and guard itself.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include PLEIAD_HEADER
#include PLEIAD_HEADER
