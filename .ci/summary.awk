# Reads "go test -json": shows the packages as they end and the output of what
# failed, then the slowest tests and the count. Fails when a test, a package or a build failed.

function text(line,   s) {
	s = line
	if (!match(s, /"Output":"/)) return ""
	s = substr(s, RSTART + 10)
	sub(/"}$/, "", s)
	gsub(/\\n/, "\n", s); gsub(/\\t/, "\t", s); gsub(/\\"/, "\"", s)
	gsub(/\\u003c/, "<", s); gsub(/\\u003e/, ">", s); gsub(/\\u0026/, "\\&", s); gsub(/\\\\/, "\\", s)
	return s
}

function field(line, name,   s) {
	if (!match(line, "\"" name "\":\"[^\"]*\"")) return ""
	s = substr(line, RSTART, RLENGTH)
	sub("^\"" name "\":\"", "", s); sub(/"$/, "", s)
	return s
}

!/^\{/ { print; next }

{
	action = field($0, "Action"); pkg = field($0, "Package"); test = field($0, "Test")
	key = pkg SUBSEP test
}

action == "build-output" { printf "%s", text($0); next }
action == "build-fail" { broken++; next }
action == "output" {
	if (test == "") { if ($0 ~ /"Output":"(ok|FAIL|panic|---|\?)/) { printf "%s", text($0); fflush() } }
	else log_[key] = log_[key] text($0)
	next
}
test != "" && test !~ /\// && match($0, /"Elapsed":[0-9.]+/) { took[pkg " " test] = substr($0, RSTART + 10, RLENGTH - 10) + 0 }
test != "" && action == "pass" { passed++; delete log_[key] }
test != "" && action == "skip" { skipped++; delete log_[key] }
test != "" && action == "fail" { failed++; counted[pkg] = 1; printf "%s", log_[key]; fflush(); delete log_[key] }
# A package may fail with no failed test: a panic, a time-out, a broken build.
# What its tests said last is the only trace of it.
test == "" && action == "fail" {
	if (!counted[pkg]) {
		failed++
		for (k in log_) if (index(k, pkg SUBSEP) == 1) { printf "%s", log_[k]; delete log_[k] }
	}
}

END {
	printf "the slowest tests:\n"
	for (n = 0; n < 12; n++) {
		most = ""
		for (k in took) if (most == "" || took[k] > took[most]) most = k
		if (most == "") break
		printf "%8.1f s  %s\n", took[most], most
		delete took[most]
	}
	if (broken > 0) printf "%d packages did not build\n", broken
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	exit failed > 0 || broken > 0
}
