# Compares the tests for .ci/every-test, which describes the purpose and creates the input files.

BEGIN {
    FS = "\t"
    while ((getline < packages) > 0)
        package_of_folder[$1] = $2
    while ((getline < binaries) > 0)
        asked[package($1)]
    while ((getline < listed) > 0) {
        in_binary[$1, $2]
        roots[$1]
        binaries_list[package($1)]++
    }
    while ((getline < ignored) > 0) {
        ignored_in[package($1), name($2)]
        ignored_number[package($1)]++
    }
    read_reasons()
    while ((getline < files) > 0)
        if (everything || package($1) in asked)
            read_source($1)
    compare_ignored()
    print_table()
    exit (wrong > 0)
}

function complain(text) {
    print "every-test: " text > "/dev/stderr"
    wrong++
}

# The last name in a module path.
function name(path) {
    sub(/^.*::/, "", path)
    return path
}

function folder(path) {
    return path ~ /\// ? substr(path, 1, match(path, /[^\/]*$/) - 1) : ""
}

# The package of a file: that of its nearest parent folder with a manifest.
function package(path) {
    path = folder(path)
    while (!(path in package_of_folder) && path != "")
        path = folder(substr(path, 1, length(path) - 1))
    return package_of_folder[path]
}

# Reads the ignored tests. A line looks like `gutterlight_rules every_floor_is_fair — takes minutes`.
function read_reasons(    line, parts, words) {
    while ((getline line < reasons) > 0) {
        if (line ~ /^#/ || line == "")
            continue
        if (split(line, parts, " — ") != 2 || split(parts[1], words, " ") != 2)
            complain(reasons ": expected `package test — reason`: " line)
        else
            reason[words[1], words[2]] = line
    }
}

# Finds the tests of a file. `mods` are the inline modules around the line, `indents` their indentations.
function read_source(file,    line, number, depth, mods, indents, indent, wanted, path) {
    depth = 0
    while ((getline line < file) > 0) {
        number++
        if (line ~ /^ *\/\*/)
            complain(file ":" number ": /* comments */ are not supported by this script")
        sub(/\/\/.*/, "", line)
        indent = match(line, /[^ ]/) - 1
        if (depth > 0 && indent == indents[depth] && line ~ /^ *}/)
            depth--
        if (line ~ /^ *(pub(\([a-z]+\))? )?mod [a-z0-9_]+ \{ *$/) {
            indents[++depth] = indent
            path = line
            gsub(/^.*mod | \{ *$/, "", path)
            mods[depth] = (depth > 1 ? mods[depth - 1] : "") path "::"
        }
        if (line ~ /#\[test\]/) {
            wanted = 1
            sub(/.*#\[test\]/, "", line)
        }
        if (wanted && match(line, /(^|[ ])fn [a-zA-Z0-9_$]+/)) {
            path = substr(line, RSTART, RLENGTH)
            sub(/^ *fn /, "", path)
            look_for(file, number, (depth > 0 ? mods[depth] : "") path)
            wanted = 0
        }
    }
    close(file)
}

# Checks that a binary lists this test of a file, by its module path.
function look_for(file, number, test,    root, under) {
    in_sources[package(file)]++
    for (root in roots)
        if (package(root) == package(file) && index(file, folder(root)) == 1) {
            under = file == root ? "" : module(substr(file, length(folder(root)) + 1))
            if ((root, under test) in in_binary)
                return
        }
    if ((package(file), name(test)) in reason)
        unbuilt[package(file), name(test)]
    else
        complain(file ":" number ": no test binary lists " test)
}

# The module path of a file: `b/c.rs` and `b/c/mod.rs` are `b::c::`.
function module(path) {
    sub(/(\/mod)?\.rs$/, "", path)
    gsub(/\//, "::", path)
    return path "::"
}

function compare_ignored(    test, parts) {
    for (test in ignored_in)
        if (!(test in reason)) {
            split(test, parts, SUBSEP)
            complain(parts[1] ": " parts[2] " is ignored, but has no reason in " reasons)
        }
    for (test in reason) {
        split(test, parts, SUBSEP)
        if ((everything || parts[1] in asked) && !(test in ignored_in) && !(test in unbuilt))
            complain(reasons ": test is not ignored or does not exist: " reason[test])
    }
}

function print_table(    package_name, format) {
    format = "%-28s %10s %8s %8s\n"
    printf format, "package", "#[test]", "listed", "ignored"
    for (package_name in in_sources)
        printf format, package_name, in_sources[package_name], \
            binaries_list[package_name] + 0, ignored_number[package_name] + 0 | "sort"
    close("sort")
}
