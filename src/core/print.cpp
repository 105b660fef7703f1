#include "core/print.hpp"

#include <cstdio>

namespace pleiad {

void write_out(std::string_view text) noexcept { std::fwrite(text.data(), 1, text.size(), stdout); }

void write_err(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace pleiad
