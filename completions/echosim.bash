# SPDX-License-Identifier: MIT
#
# bash completion of echosim. The program itself knows what may come next; this
# only asks. From a shell: . completions/echosim.bash

_echosim()
{
	local line=${COMP_LINE:0:COMP_POINT}
	local words word kept answer IFS=$' \t\n'

	read -ra words <<<"$line"
	[[ $line != *[[:blank:]] ]] || words+=('')
	word=${words[-1]}
	# bash takes a word apart at = and : and replaces its last piece only.
	kept=
	[[ $word != *[=:]* || $COMP_WORDBREAKS != *[=:]* ]] ||
		kept=${word%"${word##*[=:]}"}
	COMPREPLY=()
	while IFS=$'\t' read -r answer _; do
		case $answer in
		:files | :folders)
			compopt -o filenames 2>/dev/null
			[ $answer = :files ] && answer=-f || answer=-d
			mapfile -t COMPREPLY < <(
				compgen $answer -- "${word#"$kept"}")
			;;
		*)
			[[ $answer != *[=:] ]] || compopt -o nospace 2>/dev/null
			COMPREPLY+=("${answer#"$kept"}")
			;;
		esac
	done < <("${words[0]/#\~\//$HOME/}" complete "${words[@]:1}" 2>/dev/null)
}
complete -F _echosim echosim
