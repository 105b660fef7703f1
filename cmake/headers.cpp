/// Nothing: the file with which a target that precompiles headers is compiled.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
