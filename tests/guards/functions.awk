# SPDX-License-Identifier: MIT
#
# Lengths and nesting of functions in stripped, clang-formatted C (strip.awk):
# a body opens with "{" alone in the first column and ends with "}" there. Its
# length counts from the signature. Nesting is how deep a control statement
# stands, read from its tabs: the body's own statements are at 1.
# Variables: lines_max, nesting_max. Prints what is too long or too deep.

{
	at = index($0, ":")
	file = substr($0, 1, at - 1)
	rest = substr($0, at + 1)
	at = index(rest, ":")
	line = substr(rest, 1, at - 1) + 0
	text = substr(rest, at + 1)
}

file != last_file { last_file = file; start = 1; body = 0 }

!body && text == "{" {
	body = 1
	deep = 0
	next
}

# A signature begins after the last line that ended something.
!body {
	if (text == "" || text ~ /^[#}]/ || text ~ /[;\\]$/)
		start = line + 1
	next
}

text == "}" {
	if (line - start + 1 > lines_max)
		printf "%s:%d: function of %d lines, at most %d\n", file,
			start, line - start + 1, lines_max
	body = 0
	start = line + 1
	next
}

text ~ /^\t+(\} else|if|for|while|do|switch|\{)([^A-Za-z0-9_]|$)/ {
	match(text, /^\t+/)
	if (RLENGTH > nesting_max && !deep) {
		printf "%s:%d: nested %d deep, at most %d\n", file, line,
			RLENGTH, nesting_max
		deep = 1
	}
}
