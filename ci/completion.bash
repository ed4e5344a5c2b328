# SPDX-License-Identifier: MIT
# Completion of `atoll` in bash.
_atoll() {
	local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]} i
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W 'run env doctor piglit bench uninstall help --version' -- "$word"))
		# In a source tree there are more.
		[ ! -x "${COMP_WORDS[0]%/*}/ci/fuzz" ] ||
			COMPREPLY+=($(compgen -W 'demo test build install apps offers compare-code hazards faults planted fuzz soak' -- "$word"))
		return
	fi
	case $last in
	--driver)
		COMPREPLY=($(compgen -W 'atoll r600 panfrost llvmpipe softpipe' -- "$word"))
		return
		;;
	--chip)
		COMPREPLY=($(compgen -W 'cayman cypress juniper redwood cedar palm sumo sumo2 barts turks caicos rv770 r600' -- "$word"))
		return
		;;
	--isa)
		COMPREPLY=($(compgen -W 'cayman valhall attila' -- "$word"))
		return
		;;
	--capture | --report | --suppressions)
		COMPREPLY=($(compgen -f -- "$word"))
		return
		;;
	esac
	case ${COMP_WORDS[1]} in
	run | env)
		# Another command follows the options of `run`.
		for ((i = 2; i < COMP_CWORD; i++)); do
			case ${COMP_WORDS[i]} in
			--driver | --isa | --chip | --capture | --frames | --report | --suppressions) ((i++)) ;;
			-*) ;;
			*)
				[ "${COMP_WORDS[1]}" = env ] || _command_offset "$i"
				return
				;;
			esac
		done
		COMPREPLY=($(compgen -W '--driver --isa --chip --node --help' -- "$word"))
		[ "${COMP_WORDS[1]}" = env ] ||
			COMPREPLY+=($(compgen -W '--capture --frames --sanitize --report --suppressions' -- "$word") $(compgen -c -- "$word"))
		;;
	doctor) COMPREPLY=($(compgen -W '--bundle --version --help' -- "$word") $(compgen -f -- "$word")) ;;
	piglit) COMPREPLY=($(compgen -W '--driver --isa --chip --node --jobs --timeout --filter --shard --resume --merge --json --list --sanitize --help' -- "$word")) ;;
	planted) COMPREPLY=($(compgen -W '--jobs --list --show --help' -- "$word")) ;;
	hazards) COMPREPLY=($(compgen -W '--fraction --by --jobs --isa --list --text --help' -- "$word")) ;;
	fuzz) COMPREPLY=($(compgen -W '--minutes --list --merge --plain-driver --help' -- "$word")) ;;
	soak) COMPREPLY=($(compgen -W '--minutes --processes --help' -- "$word")) ;;
	bench) COMPREPLY=($(compgen -W '--isa --quick --json --rounds --drivers --only --threads --help' -- "$word")) ;;
	esac
}
complete -F _atoll atoll
