"""Forbids the forms of the libraries that throw exceptions which are not ours: whoever calls them ends a run with exit 1 and a raw message.

    throwing_forms_check.py SOURCE      reads src/, apps/ and bench/ below SOURCE
    throwing_forms_check.py --test      tries the patterns on lines that must and must not be found
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import pathlib
import re
import sys

# Names of std::error_code variables in this program: a call whose last argument is one of them throws nothing.
ERROR_CODES = r"(?:error|failed|ignored|unknown|absent|gone)"

FILESYSTEM = ("absolute|canonical|weakly_canonical|copy|copy_file|copy_symlink|create_directories|create_directory|create_hard_link|create_symlink|"
              "current_path|equivalent|exists|file_size|hard_link_count|is_block_file|is_character_file|is_directory|is_empty|is_fifo|is_other|"
              "is_regular_file|is_socket|is_symlink|last_write_time|permissions|proximate|read_symlink|relative|remove|remove_all|rename|"
              "resize_file|space|status|symlink_status|temp_directory_path")

# Pattern -> what to take instead. A match of the first group ends before the call's parenthesis.
CALLS = [
    (rf"\b(?:fs|filesystem)::({FILESYSTEM})(?=\()", "io/durable/paths.hpp, or the form with a std::error_code"),
    (r"(?:\.|->)(exists|is_directory|is_regular_file|is_symlink|is_empty|file_size|refresh)(?=\()", "the form with a std::error_code"),
    (r"\b(?:fs|filesystem)::(?:recursive_)?(directory_iterator)(?=\()", "entries_of() of io/durable/paths.hpp"),
]
FORMS = [
    (r":\s*(?:std::)?(?:fs|filesystem)::(?:recursive_)?directory_iterator\b", "entries_of() of io/durable/paths.hpp: each step of the loop may throw"),
    (r"\bfmt::print\(", "print_out() or print_err() of core/print.hpp"),
    (r"\bstd::(?:cout|cerr|clog)\b", "print_out() or print_err() of core/print.hpp"),
    (r"\bstd::sto(?:i|l|ll|ul|ull|f|d|ld)\(", "std::from_chars"),
    (r"\.dump\(", "json_text() of core/json_text.hpp"),
    (r"[jJ]son::parse\(|\btoml::parse(?:_file)?\(", "a parser whose exception is caught there"),
    (r"\bstd::(?:thread|jthread|async)\b(?!::)", "parallel_for(), or run::Background"),
    (r"\bstd::regex\b", "a loop"),
    (r"\.exceptions\(", "the state of the stream"),
    (r"\bstd::locale\(", "the classic locale"),
]

# File, a part of the line, and why it may stand.
ALLOWED = [
    ("apps/pleiad/output.cpp", "!std::cout", "CLI11 prints --help there; its loss is reported too"),
    ("apps/pleiad/output.cpp", "std::cout.flush()", "CLI11 prints --help there; a stream without exceptions"),
    ("src/core/json_text.hpp", "json.dump(indent", "the form that replaces what is not UTF-8"),
    ("src/io/config/parse.cpp", "toml::parse(", "each call catches toml::parse_error"),
    ("src/tune/cache.cpp", "Json::parse(", "a cache that cannot be read is measured anew: all is caught"),
    ("src/run/ensemble/table.cpp", "ordered_json::parse(", "of a number that was just printed"),
    ("bench/report.cpp", "ordered_json::parse(", "catches json::exception"),
    ("bench/runs.cpp", "ordered_json::parse(", "is told not to throw"),
    ("src/core/threads.cpp", "std::vector<std::thread> trial", "catches std::system_error: it asks how many there may be"),
    ("src/core/threads.cpp", "std::vector<std::jthread> others", "under the thread sanitizer only, as many as were granted"),
    ("src/core/threads.cpp", "other = std::jthread(take)", "under the thread sanitizer only, as many as were granted"),
    ("src/engine/ranks_exchange.cpp", "std::thread(std::move(task))", "catches std::system_error; what does not come back cannot be waited for"),
    ("src/live/command.cpp", "Json::parse(", "is told not to throw"),
    ("src/live/recorded.cpp", "Json::parse(", "is told not to throw"),
    ("src/live/server.cpp", "std::thread thread_;", "a member; where it starts see thread.cpp"),
    ("src/live/view_server.cpp", "std::thread thread_;", "a member; where it starts see thread.cpp"),
    ("src/live/thread.hpp", "std::thread started_without_signals(", "a declaration; where it starts see thread.cpp"),
    ("src/live/thread.cpp", "std::thread started_without_signals(", "a definition"),
    ("src/live/thread.cpp", "std::thread thread;", "not started yet"),
    ("src/live/thread.cpp", "thread = std::thread(std::move(work))", "catches std::system_error"),
    ("src/ranks/simulated.cpp", "std::vector<std::jthread> threads", "ranks of tests and of a count; whoever asks for more than there can be is told"),
    ("src/run/ranks/pieces.cpp", "json::parse(text)", "catches all, and says that the manifest is damaged"),
    ("src/render/gnuplot.cpp", "std::async(std::launch::async, work)", "catches std::system_error and does without"),
    ("src/render/gnuplot.cpp", "std::async(std::launch::deferred, work)", "starts no thread"),
    ("src/run/ranks/watchdog.hpp", "std::thread thread_", "a member; where it starts see watchdog.cpp"),
    ("src/run/ranks/watchdog.cpp", "thread_ = std::thread([this] { watch(); })", "catches std::system_error and does without"),
    ("src/run/background.hpp", "std::thread thread_", "a member; where it starts see background.cpp"),
    ("src/run/background.cpp", "thread_ = std::thread([this] { serve(); })", "catches std::system_error and does without"),
]
# Programs that only the build or a measurement by hand starts.
LEFT_OUT = ("src/tree/generate/", "src/cuda/emulator/", "bench/tree_gpus.cpp", "bench/tree_phases.cpp")

STRING_OR_COMMENT = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*(?:.|\n)*?\*/')


def bare(text):
    """The text with strings and comments blanked, line breaks kept."""
    return STRING_OR_COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def arguments(text, start):
    """What stands between the parenthesis at `start` and the one that closes it."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return text[start + 1:at]
    return text[start + 1:]


def found_in(text):
    """(position, form, what instead) of every form that throws."""
    code = bare(text)
    for pattern, instead in CALLS:
        for match in re.finditer(pattern, code):
            given = arguments(code, match.end()).strip()
            if re.search(rf"(?:^|,)\s*{ERROR_CODES}$", given):
                continue
            if re.search(rf"^(?:\w+_)?status$|status\(.*,\s*{ERROR_CODES}\)$", given):  # of a status that is known already
                continue
            if match.group(1) == "directory_iterator" and not given:  # the end of a loop
                continue
            yield match.start(), match.group().strip(), instead
    for pattern, instead in FORMS:
        for match in re.finditer(pattern, code):
            yield match.start(), match.group().strip(), instead


def check(source):
    wrong, files, used = [], 0, set()
    for tree in ("src", "apps", "bench"):
        for path in sorted((source / tree).rglob("*")):
            name = path.relative_to(source).as_posix()
            if path.suffix not in (".cpp", ".hpp", ".ipp", ".cu", ".cuh", ".h") or name.startswith(LEFT_OUT):
                continue
            files += 1
            text = path.read_text()
            for position, form, instead in found_in(text):
                line = text.count("\n", 0, position) + 1
                whole = text.splitlines()[line - 1]
                allowed = next((a for a in ALLOWED if a[0] == name and a[1] in whole), None)
                used.add(allowed)
                if allowed is None:
                    wrong.append(f"{name}:{line}: {form} may throw; take {instead}")
    wrong += [f"{a[0]}: the list of exceptions has '{a[1]}', which is not there" for a in ALLOWED if a not in used]
    for line in wrong:
        print(line)
    print(f"{files} files, {len(wrong)} forms that throw")
    return 1 if wrong or not files else 0


def self_test():
    bad = ["if (fs::exists(a / b)) x();", "std::filesystem::create_directories(path(\"a\"));", "fs::remove_all(\n  a);", "const auto n = std::stoi(s);",
           "for (const auto& e : fs::directory_iterator(folder, error)) {}", "fmt::print(stderr, x);", "std::cerr << x;", "j.dump(2)",
           "if (entry->is_directory()) y();", "fs::temp_directory_path()", "fs::file_size(f(a, ignored))", "std::thread t(work);",
           "nlohmann::json::parse(text)"]
    good = ["if (fs::exists(a / b, ignored)) x();", "fs::remove_all(path(\"a, b\"), failed);", "// fs::exists(a)", "const char* s = \"fs::exists(a)\";",
            "fs::is_directory(status)", "fs::is_directory(fs::symlink_status(a, ignored))", "for (fs::directory_iterator e(folder, error), end; e != end; e.increment(error)) {}", "is_folder(a)",
            "std::thread::hardware_concurrency()", "fmt::format(x)"]
    wrong = [line for line in bad if not list(found_in(line))] + [line for line in good if list(found_in(line))]
    for line in wrong:
        print("judged wrongly:", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1] == "--test" else check(pathlib.Path(sys.argv[1])))
