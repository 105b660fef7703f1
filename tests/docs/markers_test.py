"""tools/markers.py fills what stands between markers, and reports every marker that is not what it should be. markers_test.py SOURCE"""
import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "tools"))
import markers  # noqa: E402

END = "<!-- end -->"
failures = []


def expect(text, parts, filled, *errors):
    """`errors`: a word of each error, in their order; with errors the text does not matter."""
    content, found = markers.fill("page.md", text, parts)
    if len(found) != len(errors) or any(word not in line for word, line in zip(errors, found)) or (not errors and content != filled):
        failures.append(f"{text!r}\nbecame {content!r}, errors {found}\nexpected {filled!r}, {list(errors)}")


table = f"words\n\n<!-- table: rates -->\n\n| old |\n\n{END}\n\nmore\n"
new = f"words\n\n<!-- table: rates -->\n\n| new |\n\n{END}\n\nmore\n"
expect(table, {"table: rates": "| new |"}, new)
expect(table, {"table: rates": "\n| new |\n\n"}, new)
expect(f"At <!-- figure: a -->1{END} and <!-- figure: b -->2{END}.", {"figure: a": "3", "figure: b": "4"}, f"At <!-- figure: a -->3{END} and <!-- figure: b -->4{END}.")
expect("no markers, <!-- not run: for a reason --> is none", {}, "no markers, <!-- not run: for a reason --> is none")

expect(table, {}, "", "page.md:3: <!-- table: rates --> is not known")
expect(table.replace(END, ""), {"table: rates": "| new |"}, "", "page.md:3: <!-- table: rates --> has no <!-- end -->", "no <!-- table: rates -->")
expect(table.replace(END, f"<!-- table: more -->\n\n{END}"), {"table: rates": "1", "table: more": "2"}, "", "<!-- table: rates --> has no", "page.md: no <!-- table: rates -->")
expect(table.replace("<!-- table: rates -->", "<!-- tabel: rates -->"), {"table: rates": "1"}, "", "page.md:7: <!-- end --> ends no marker", "no <!-- table: rates -->")
expect(table + END, {"table: rates": "1"}, "", "page.md:10: <!-- end --> ends no marker")
expect(table, {"table: rates": None}, "", "page.md:3: <!-- table: rates --> has not been measured")
expect(table, {"table: rates": "1", "figure: lost": "2"}, "", "page.md: no <!-- figure: lost -->")
expect(f"words\n  <!-- figure: a -->1{END}", {"figure: a": "2"}, "", "page.md:2: <!-- figure: a --> begins a line")
expect(f"words <!-- table: a -->\n{END}", {"table: a": "1"}, "", "page.md:1: <!-- table: a --> does not stand on a line of its own")
expect(f"<!-- table: a --> words\n{END}", {"table: a": "1"}, "", "does not stand on a line of its own")

if markers.part("page.md", table, "table: rates") != "\n\n| old |\n\n" or markers.part("page.md", table, "table: lost") != "":
    failures.append("part: what stands between a marker and its end")

print("\n".join(failures), end="")
sys.exit(1 if failures else 0)
