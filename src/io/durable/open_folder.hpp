/// An opened folder: files are written into it even if its path leads elsewhere by then.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/descriptor.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace pleiad {

class OpenFolder {
 public:
  /// ResourceError when it cannot be opened, or its last name is a symbolic link.
  explicit OpenFolder(std::filesystem::path path);
  /// The folder `name` in this one; none where there is nothing of that name. ResourceError as above.
  std::optional<OpenFolder> below(const std::string& name) const;
  /// As below(), but makes the folder if it does not exist.
  OpenFolder made_below(const std::string& name) const;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return open_.get(); }
  /// Whether its path still leads to it, and not through a link.
  bool is_same() const;
  /// ResourceError when it does not.
  void need_same() const;

  /// Whether there is anything of this name, be it a link to nowhere.
  bool has(const std::string& name) const;
  /// Whether that is a folder itself, not a link to one.
  bool has_folder(const std::string& name) const;
  /// Removes the entry, never the target of a link; nothing if it does not exist. ResourceError if it stays.
  void remove(const std::string& name) const;
  /// Removes a folder if it is empty.
  void remove_if_empty(const std::string& name) const noexcept;
  /// Gives the entry to another folder, under the same name. ResourceError.
  void move(const std::string& name, const OpenFolder& to) const;

 private:
  OpenFolder(std::filesystem::path path, Descriptor open) : path_(std::move(path)), open_(std::move(open)) {}
  std::filesystem::path path_;
  Descriptor open_;
};

}  // namespace pleiad
