"""What a shell is offered when it asks what could come next, and the scripts by which it asks.

The scripts are our own: they know of model files, which they complete by their suffixes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
)

from fairlead.lang.registry import SUFFIXES
from fairlead.logic.fairness.notions import ALL_STANDS_FOR, Fairness

#: an item of this type stands for all model files
MODEL = "model"
#: longer files are not read
LARGEST = 1 << 20

_PATTERNS = [f"*{suffix}" for suffix in SUFFIXES]

_BASH = """\
%(complete_func)s() {
    local IFS=$'\\n' current="${COMP_WORDS[COMP_CWORD]}" completion type value pattern
    COMPREPLY=()
    for completion in $(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD="$COMP_CWORD" \\
            %(complete_var)s=bash_complete "$1" 2>/dev/null); do
        IFS=',' read -r type value <<< "$completion"
        case $type in
            plain) COMPREPLY+=("$value") ;;
            file) compopt -o default ;;
            dir) compopt -o dirnames ;;
            model)
                compopt -o filenames -o plusdirs
                for pattern in PATTERNS; do
                    COMPREPLY+=($(compgen -f -X "!$pattern" -- "$current"))
                done ;;
        esac
    done
}
complete -o nosort -F %(complete_func)s %(prog_name)s
""".replace("PATTERNS", " ".join(f"'{pattern}'" for pattern in _PATTERNS))

_ZSH = """\
#compdef %(prog_name)s
%(complete_func)s() {
    local -a response plain described
    local type key text
    response=("${(@f)$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) \\
        %(complete_var)s=zsh_complete %(prog_name)s 2>/dev/null)}")
    for type key text in ${response}; do
        case $type in
            plain) if [[ $text == _ ]]; then plain+=("$key"); else described+=("$key:$text"); fi ;;
            dir) _files -/ ;;
            file) _files ;;
            model) _files -g 'PATTERNS' ;;
        esac
    done
    (( $#described )) && _describe -V unsorted described -U
    (( $#plain )) && compadd -U -V unsorted -a plain
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
""".replace("PATTERNS", f"*.({'|'.join(suffix[1:] for suffix in SUFFIXES)})")

_FISH = """\
function %(complete_func)s
    for completion in (env %(complete_var)s=fish_complete COMP_WORDS=(commandline -cp) \\
            COMP_CWORD=(commandline -t) %(prog_name)s 2>/dev/null)
        set -l parts (string split -m 1 , $completion)
        switch $parts[1]
            case plain
                echo $parts[2]
            case dir
                __fish_complete_directories (commandline -ct)
            case file
                __fish_complete_path (commandline -ct)
            case model
                __fish_complete_path (commandline -ct) | string match -r '.*(?:/|PATTERNS)(?:\\t.*)?$'
        end
    end
end
complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
""".replace("PATTERNS", "|".join(re.escape(suffix) for suffix in SUFFIXES))


# ---------------------------------------------------------------- shells


class _Bash(BashComplete):
    source_template = _BASH

    def source(self) -> str:
        return ShellComplete.source(self)  # without a look at the version: another bash may be meant

    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        # to bash, '=' is a word of its own
        return [word for word in args if word != "="], "" if incomplete == "=" else incomplete

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.type},{item.value}"


class _Zsh(ZshComplete):
    source_template = _ZSH

    def format_completion(self, item: CompletionItem) -> str:
        value = str(item.value)
        if item.help:
            value = value.replace(":", "\\:")
        return f"{item.type}\n{value}\n{item.help or '_'}"


class _Fish(FishComplete):
    source_template = _FISH

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.type},{item.value}" + (f"\t{item.help}" if item.help else "")


SHELLS: dict[str, type[ShellComplete]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}


# ---------------------------------------------------------------- values


def _models(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type=MODEL)]


def _notions(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Names of notions, also behind commas."""
    before, comma, last = incomplete.rpartition(",")
    chosen = before.split(",")
    notions = {notion.value: notion.title for notion in Fairness if notion.value not in chosen}
    if not comma:
        notions["all"] = ALL_STANDS_FOR
    return [
        CompletionItem(f"{before}{comma}{name}", help=title)
        for name, title in notions.items()
        if name.startswith(last)
    ]


def _assertions(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """The numbers of the assertions in a CSP# model."""
    text = _text(ctx)
    if text is None or not _is_csp(ctx) or "#include" in text:
        return []
    found = re.findall(r"#assert\s+([^;]*);", text)
    return [
        CompletionItem(str(number), help=" ".join(assertion.split()))
        for number, assertion in enumerate(found, start=1)
        if str(number).startswith(incomplete)
    ]


def _processes(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """The processes without parameters that a model defines."""
    text = _text(ctx)
    if text is None:
        return []
    if _is_csp(ctx):
        found = re.findall(r"(?:^|[;}])\s*([A-Za-z_]\w*)\s*(?:\(\s*\))?\s*=(?!=)", text, re.MULTILINE)
    else:
        found = re.findall(r"(?:^|\.)\s*\|\|\s*([A-Z]\w*)", text, re.MULTILINE)
    return [CompletionItem(name) for name in dict.fromkeys(found) if name.startswith(incomplete)]


def _is_csp(ctx: click.Context) -> bool:
    return isinstance(ctx.obj, Path) and ctx.obj.suffix == ".csp"


def _text(ctx: click.Context) -> str | None:
    """The text of the model on the command line, without its comments: nothing is run, or even parsed."""
    model = ctx.obj
    try:
        if not isinstance(model, Path) or model.stat().st_size > LARGEST:
            return None
        text = model.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)


def _topics(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    from fairlead.present.explain import topics

    return [
        CompletionItem(topic.name, help=topic.summary)
        for topic in topics()
        if topic.name.startswith(incomplete)
    ]


_Completer = Callable[[click.Context, str], "list[CompletionItem]"]

#: by the name of a parameter
_COMPLETERS: dict[str, _Completer] = {
    "model": _models,
    "fairness": _notions,
    "assertion": _assertions,
    "process": _processes,
    "topic": _topics,
}


def teach(command: click.Command) -> None:
    """Lets the parameters of a command offer what they mean."""
    for parameter, completer in _taught(command):
        setattr(parameter, "shell_complete", completer)  # noqa: B010 - one object of many


def _taught(command: click.Command) -> Iterator[tuple[click.Parameter, _Completer]]:
    for parameter in command.params:
        if parameter.name in _COMPLETERS and not isinstance(parameter.type, click.Choice):
            yield parameter, _COMPLETERS[parameter.name]


def answer(cli: click.Group, variable: str, asked: str) -> int:
    """Tells a shell what could come next; `asked` says which shell wants to know, as in `bash_complete`."""
    shell = asked.partition("_")[0]
    if shell not in SHELLS:
        return 1
    words, _ = SHELLS[shell](cli, {}, "fairlead", variable).get_completion_args()
    # click gives up where an option still lacks its value, so the model is searched for here
    model = next((Path(word) for word in words if Path(word).suffix in SUFFIXES), None)
    click.echo(SHELLS[shell](cli, {"obj": model}, "fairlead", variable).complete())
    return 0
