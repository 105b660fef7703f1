/// A checkpoint as a snapshot.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/wanted.hpp"

#include <string>

namespace pleiad {

struct Checkpoint;

/// It is read wherever a snapshot is, and written by runs alone: it is not one of formats().
extern const Format format_checkpoint;

namespace files {
/// The name under which a checkpoint says that its bodies are comoving, with momenta for velocities and ln a
/// for the time: only its run can read these.
inline constexpr const char* comoving_section = "comoving";
/// The bodies of a checkpoint that was read from `origin`. InputError if it has none, as that of an ensemble.
FileContent content_of(Checkpoint checkpoint, const std::string& origin);
}  // namespace files

}  // namespace pleiad
