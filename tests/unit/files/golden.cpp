/// Golden GADGET, TIPSY and CSV files.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/files/golden.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace pleiad::golden {
namespace {

struct Bytes {
  bool big = false;
  std::string out;
  template <class T>
  void add(T value) {
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), &value, sizeof(T));
    if (big) std::reverse(raw.begin(), raw.end());
    out.append(raw.data(), raw.size());
  }
};

}  // namespace

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "pleiad-files-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
  path = name;
}
Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}
fs::path Folder::write(const std::string& name, const std::string& bytes) const {
  fs::remove(path / name);  // a new file: cutting an old one to 0 makes some file systems wait for the disk
  std::ofstream(path / name, std::ios::binary) << bytes;
  return path / name;
}
std::string bytes_of(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file, std::ios::binary).rdbuf();
  return out.str();
}

Bodies truth() {
  Bodies b;
  b.add(0.5, {1, 2, 3}, {0.125, -0.25, 0}, Type::halo);
  b.add(0.5, {-4, 5, -6}, {1, 2, 3}, Type::halo);
  b.add(0.25, {7, 8.5, 9}, {-1, -2, -3}, Type::disc);
  b.add(0.25, {-10, 11, 0.0625}, {4, 5, 6}, Type::disc);
  b.add(0.0625, {13, -14, 15}, {100, -200, 50}, Type::star);
  b.id = {101, 102, 7, 8, 4000000000};
  return b;
}

std::string gadget(const Gadget& how) {
  const Bodies b = truth();
  Bytes f{how.big, {}};
  const auto block = [&](const char* label, const std::function<void(Bytes&)>& fill) {
    Bytes content{how.big, {}};
    fill(content);
    const auto size = std::uint32_t(content.out.size());
    if (how.labelled) {
      f.add(std::uint32_t{8}), f.out += label;
      f.add(size + 8), f.add(std::uint32_t{8});
    }
    f.add(size), f.out += content.out, f.add(size);
  };
  std::array<std::uint32_t, 6> here{}, total{};
  for (std::size_t i = 0; i < bodies; ++i) {
    ++total[std::size_t(b.type[i])];
    if (i >= how.first && i < how.last) ++here[std::size_t(b.type[i])];
  }
  const auto each = [&](const auto& visit) {
    for (std::size_t i = how.first; i < how.last; ++i) visit(i);
  };
  block("HEAD", [&](Bytes& h) {
    for (const auto n : here) h.add(n);
    for (int t = 0; t < 6; ++t) h.add(how.mass_table && t == 1 ? 0.5 : how.mass_table && t == 2 ? 0.25 : 0.0);
    h.add(how.time), h.add(how.redshift), h.add(0), h.add(0);
    for (const auto n : total) h.add(n);
    h.add(0), h.add(how.files), h.add(0.0), h.add(how.omega0), h.add(0.0), h.add(how.h);
    h.out.resize(256);
  });
  const auto real = [&](Bytes& c, double v) { how.wide_reals ? c.add(v) : c.add(float(v)); };
  block("POS ",
        [&](Bytes& c) { each([&](std::size_t i) { real(c, b.x[i]), real(c, b.y[i]), real(c, b.z[i]); }); });
  block("VEL ", [&](Bytes& c) {
    each([&](std::size_t i) { real(c, b.vx[i]), real(c, b.vy[i]), real(c, b.vz[i]); });
  });
  if (how.ids)
    block("ID  ", [&](Bytes& c) {
      each([&](std::size_t i) { how.wide_ids ? c.add(b.id[i]) : c.add(std::uint32_t(b.id[i])); });
    });
  block("MASS", [&](Bytes& c) {
    each([&](std::size_t i) {
      if (!how.mass_table || b.type[i] == Type::star) real(c, b.mass[i]);
    });
  });
  if (how.extra_block) block("ZZZZ", [](Bytes& c) { c.add(1.0f), c.add(2.0f); });
  return f.out;
}

std::string tipsy(bool big, bool padded) {
  // One gas, two dark, one star.
  Bytes f{big, {}};
  f.add(0.75), f.add(4), f.add(3), f.add(1), f.add(2), f.add(1);
  if (padded) f.add(0);
  const auto floats = [&](std::initializer_list<float> v) {
    for (const float x : v) f.add(x);
  };
  floats({0.5f, 1, 2, 3, 4, 5, 6, 0.1f, 1e4f, 0.2f, 0.02f, -1});
  floats({0.25f, -1, -2, -3, -4, -5, -6, 0.05f, -2});
  floats({0.25f, 10, 20, 30, 40, 50, 60, 0.05f, -3});
  floats({0.125f, 7, 8, 9, 0.5f, 0.25f, 0.75f, 0.02f, 1, 0.05f, -4});
  return f.out;
}

std::string csv() {
  return "# units: galactic\r\n# time: 2.5\r\nID , Type,\"VX\",vy,vz,Pos_X [kpc],py,z (kpc),M,colour\r\n"
         "11,disc,4,5,6,1,2,3,0.5,red\r\n\r\n12,1,-4,+5e0,6.0D+00,-1,-2,-3,0.25,blue\r\n";
}

std::map<std::string, std::string> all() {
  const Folder folder;
  hdf5(folder / "h", {});
  return {{"gadget1", gadget({})},
          {"gadget1-big", gadget({.big = true})},
          {"gadget2", gadget({.labelled = true})},
          {"gadget2-big", gadget({.big = true, .labelled = true})},
          {"hdf5", bytes_of(folder / "h")},
          {"tipsy", tipsy(true)},
          {"tipsy-little", tipsy(false)},
          {"csv", csv()}};
}

}  // namespace pleiad::golden
