"""Checks that every public declaration has a doc comment, and every header a place in the reference. comments_check.py SOURCE, or SOURCE --test for the check itself

A comment above a declaration is that of its overloads too; behind one of a single line, `///<`, it serves as well. Members are not
asked: the comment of their type, and a word behind each, tell what they are.

SPDX-FileCopyrightText: Pleiad contributors
SPDX-License-Identifier: Apache-2.0
"""
import glob
import os
import re
import sys


def undocumented(declarations, path, text):
    """The names of those without a comment, in order."""
    if path.endswith(".h"):
        items = declarations.read_c(os.path.basename(path), text).items
    else:
        scopes = re.findall(r"^namespace pleiad \{\n(.*?)^\}  // namespace pleiad$", text, re.DOTALL | re.MULTILINE)
        items = [item for scope in scopes for item in declarations.items(scope) if not declarations.is_forward(item)]
    found = []
    for item in items:
        behind = len(item.code) == 1 and "///<" in item.code[0]
        if not item.comment and not behind:
            found += item.names()
    return found


def test(declarations):
    def of(code):
        return undocumented(declarations, "a.hpp", f"namespace pleiad {{\n\n{code}\n}}  // namespace pleiad\n")

    assert of("/// One.\nint f();\nint f(int b,\n      int c);") == []
    assert of("/// One.\nint f();\nint g();") == ["g"]
    assert of("/// A type.\nstruct A {\n  int x;\n  void f() {}\n};") == []
    assert of("struct A {\n  int x;  ///< said\n};\n\ntemplate <class T>\nT f(T a) {\n  return a;\n}") == ["A", "f"]
    assert of("struct A;\nclass B;\n\nconstexpr int most = 3;  ///< of something") == []
    assert of("// Not for readers of the reference.\nint f();") == ["f"]
    c = '/** One. */\nextern "C" {\n#endif\n/* Two. */\nint f(void);\n\nint g(void);\n#ifdef __cplusplus\n'
    assert undocumented(declarations, "a.h", c) == ["g"]
    print("the check finds what it must")
    return 0


def main():
    source = sys.argv[1]
    sys.path.insert(0, os.path.join(source, "docs", "site"))
    import declarations

    if "--test" in sys.argv:
        return test(declarations)
    folder = os.path.join(source, "include")
    headers = [name for form in ("*.hpp", "*.h") for name in glob.glob(os.path.join(folder, "**", form), recursive=True)]
    missing = 0
    pages = "".join(open(page, encoding="utf-8").read() for page in glob.glob(os.path.join(source, "docs", "site", "cpp", "*.md")))
    for header in sorted(headers):
        name = os.path.relpath(header, os.path.join(folder, "pleiad"))
        if name not in ("pleiad.hpp", "pleiad.h") and os.sep not in name and f"{{header}} {name}\n" not in pages:
            print(f"{os.path.relpath(header, source)} is on no page: add {{header}} {name} to one of docs/site/cpp")
            missing += 1
        with open(header, encoding="utf-8") as text:
            for name in undocumented(declarations, header, text.read()):
                print(f"{os.path.relpath(header, source)}: {name} has no doc comment: say above it what it is, with units and errors")
                missing += 1
    print(f"{len(headers)} public headers, {missing} without a page or declarations without a doc comment")
    return 1 if missing or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
