"""The reference of C++ and C must find every declaration of the public headers, and give each comment to what it is of. declarations_test.py SOURCE"""
import glob
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[1], "docs", "site"))
import declarations  # noqa: E402

failures = []


def expect(found, wanted, words):
    if found != wanted:
        failures.append(f"{words}: {found}, expected {wanted}")


HEADER = """/// One idea,
/// in two lines.
// SPDX
#pragma once

namespace pleiad {

class Elsewhere;

/// A number.
inline constexpr double number = 1e-3;

/// Two paragraphs.
///
/// With `code`.
struct Options {
  double a = 0;  ///< inside; of Options
  double twice() const { return 2 * a; }
};
void check(const Options& options);

/// Both.
template <class T>
std::vector<Vec3<T>> sum(std::span<const T> values);
double sum(double a,
           double b = 0);
/// The inverse.
constexpr bool is_good(Status s) { return s == Status::good; }

/// Works.
class Worker {
 public:
  /// Starts.
  explicit Worker(int threads) : threads_(threads), names_{} { begin(); }
  ~Worker();
  std::function<void(int)> later(bool now);
  template <class U>
  requires(std::is_const_v<U>&& true) Worker(const U& other);

 private:
  int threads_ = 0;
};

}  // namespace pleiad
"""
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "a.hpp")
    with open(path, "w", encoding="utf-8") as out:
        out.write(HEADER)
    header = declarations.read(path)
expect(header.idea, ["One idea,", "in two lines."], "the idea")
expect([item.names() for item in header.items], [["number"], ["Options"], ["check"], ["sum"], ["is_good"], ["Worker"]], "names")
expect([" ".join(item.comment) for item in header.items], ["A number.", "Two paragraphs.  With `code`.", "", "Both.", "The inverse.", "Works."], "comments")
expect("twice() const;" in header.items[1].text() and "///< inside" in header.items[1].text(), True, "a struct keeps its words and no bodies")
expect(header.items[4].text(), "constexpr bool is_good(Status s);", "a body is left out")
members = declarations.public_members(header.items[5])
expect([member.names() for member in members], [["Worker"], ["~Worker", "later", "Worker"]], "members")
expect(members[0].text(), "explicit Worker(int threads);", "a constructor without what it initialises")

# Of the headers themselves nothing is lost: every name before a bracket at the start of a line of theirs is in an item.
for path in sorted(glob.glob(os.path.join(sys.argv[1], "include", "pleiad", "*.h*"))):
    with open(path, encoding="utf-8") as text:
        lines = text.read().split("\n private:")[0].splitlines()
    told = "\n".join(item.text() for item in declarations.read(path).items)
    for line in lines:
        found = re.match(r"(?:  )?(?:[\w:<>,&*]+ )+\*?(\w+)\(", line)
        if found and not line.lstrip().startswith(("return", "///", "//", "else", "throw")) and found.group(1) + "(" not in told:
            failures.append(f"{os.path.basename(path)}: {line.strip()} is lost")
    names = [name for item in declarations.read(path).items for name in item.names()]
    expect([name for name in names if not re.fullmatch(r"~?\w+|operator.*", name)], [], os.path.basename(path))
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
