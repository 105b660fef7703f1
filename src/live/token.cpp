#include "live/token.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cstddef>

#include <fmt/format.h>
#include <sys/random.h>

namespace pleiad::live {

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw ResourceError("the system gives no random numbers for the token of the live view");
  std::string token;
  for (const auto byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool same_token(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  volatile unsigned char different = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    different = static_cast<unsigned char>(different | (a[i] ^ b[i]));
  return different == 0;
}

}  // namespace pleiad::live
