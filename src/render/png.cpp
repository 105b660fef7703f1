/// Pixels to a PNG file: encoded in memory, then written completely or not at all.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "render/render.hpp"

#include <pleiad/error.hpp>

#include <string>

#include <png.h>

namespace pleiad {

/// Uses libpng's simplified writer: no setjmp, errors are returned as a message.
std::string encode_png(const Image& image) {
  if (image.width < 1 || image.height < 1 ||
      image.rgb.size() != 3 * std::size_t(image.width) * std::size_t(image.height))
    throw UsageError("no PNG of an image of " + std::to_string(image.width) + " x " +
                     std::to_string(image.height) + " pixels with " + std::to_string(image.rgb.size()) +
                     " bytes; it must have 3 per pixel");
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = png_uint_32(image.width);
  header.height = png_uint_32(image.height);
  header.format = PNG_FORMAT_RGB;
  // A seventh of the time for a tenth more bytes: a movie's frames must not keep the steps waiting.
  header.flags = PNG_IMAGE_FLAG_FAST;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::string out(bytes, '\0');
  if (!png_image_write_to_memory(&header, out.data(), &bytes, 0, image.rgb.data(), 0, nullptr))
    throw ResourceError(std::string("cannot encode a picture as PNG: ") + header.message);
  out.resize(bytes);
  return out;
}

void write_png(const std::filesystem::path& file, const Image& image, AtomicWrite how) {
  how.sync = false;  // a picture can be made again: no need to wait for the disk
  write_file_atomically(file, encode_png(image), how);
}

}  // namespace pleiad
