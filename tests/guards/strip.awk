# SPDX-License-Identifier: MIT
#
# C text without its comments and without what stands in its strings and
# character constants: "" and '' remain, lines stay lines. So that a word in a
# comment or a message is never taken for code. Each line is printed as
# FILE:LINE:TEXT.

FNR == 1 { inside = 0 }

# What is left of `text` after the closing quote, or "" when there is none.
function after_quote(text, quote,   i, c)
{
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (c == "\\")
			i++
		else if (c == quote)
			return substr(text, i + 1)
	}
	return ""
}

{
	rest = $0
	code = ""
	while (rest != "") {
		if (inside) {
			at = index(rest, "*/")
			if (!at)
				break
			rest = substr(rest, at + 2)
			inside = 0
			continue
		}
		if (!match(rest, /"|'|\/\*|\/\//)) {
			code = code rest
			break
		}
		mark = substr(rest, RSTART, RLENGTH)
		code = code substr(rest, 1, RSTART - 1)
		rest = substr(rest, RSTART + RLENGTH)
		if (mark == "//")
			break
		if (mark == "/*") {
			inside = 1
			continue
		}
		# An include keeps its name.
		if (code ~ /^#[ \t]*include/) {
			code = code mark rest
			break
		}
		code = code mark mark
		rest = after_quote(rest, mark)
	}
	sub(/[ \t]+$/, "", code)
	print FILENAME ":" FNR ":" code
}
