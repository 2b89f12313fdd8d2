/** Shell completion, made from the commands' own options: a script for bash, zsh or fish that needs nothing else to run. */

import { z } from "zod";
import type { OptionSpec } from "./options/option.js";

/** A command as a shell completes it. */
export interface Completed {
  readonly word: string;
  readonly description: string;
  /** Words that may follow it beside options and files. */
  readonly words: readonly string[];
  readonly options: readonly OptionSpec[];
}

const WRITERS = { bash, zsh, fish } as const;

/** The shells, in words. */
export const SHELLS = "bash, zsh and fish, as in: auth-migrate completion bash";

/** @returns the shell's script; null for a shell that isn't known */
export function completionFor(shell: string, commands: readonly Completed[]): string | null {
  if (!Object.hasOwn(WRITERS, shell)) return null;
  const help = "say more of a command, of exit-codes, or show a page of docs";
  const words = [...commands.map(({ word }) => word), "exit-codes"];
  const shells = Object.keys(WRITERS);
  const completion = "write the completion for a shell";
  return WRITERS[shell as keyof typeof WRITERS]([
    ...commands,
    { word: "help", description: help, words: words, options: [] },
    { word: "completion", description: completion, words: shells, options: [] },
  ]);
}

function flagOf({ flags }: OptionSpec): string {
  return flags.replace(/ .*/, "");
}

/** The values to choose from; null for a flag, none for any text. */
function valuesOf({ type }: OptionSpec): readonly string[] | null {
  if (type === undefined) return null;
  return type instanceof z.ZodEnum ? type.options.map(String) : [];
}

function isFile({ flags }: OptionSpec): boolean {
  return /<(?:file|dir|folder)>$/.test(flags);
}

function bash(commands: readonly Completed[]): string {
  const words = commands.map(({ word }) => word).join(" ");
  // A flag means the same under every command.
  const options = commands.flatMap((command) => command.options);
  const byFlag = [...new Map(options.map((option) => [flagOf(option), valuesOf(option)]))];
  const values = byFlag
    .filter(([, known]) => known !== null && known.length > 0)
    .map(([flag, known]) => `    ${flag}) words="${known?.join(" ")}" ;;`);
  const texts = byFlag.filter(([, known]) => known?.length === 0).map(([flag]) => flag);
  return `# bash completion of auth-migrate: eval "$(auth-migrate completion bash)"
_auth_migrate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}"
  local command="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${words} " in *" $word "*) command="$word"; break ;; esac
  done
  COMPREPLY=()
  case "$before" in
${values.join("\n")}
    ${texts.join(" | ")}) return ;;
    *)
      case "$command" in
        "") words="${words} --help --version" ;;
${commands.map(({ word, words: further, options: own }) => `        ${word}) words="${[...further, ...own.map(flagOf), "--help"].join(" ")}" ;;`).join("\n")}
      esac
      # Without a dash it is a file, or a command's name.
      case "$current" in
        -*) ;;
        *) [ -n "$command" ] && words="$(printf '%s\\n' $words | grep -v '^-')" ;;
      esac
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o bashdefault -o default -F _auth_migrate auth-migrate
`;
}

function zsh(commands: readonly Completed[]): string {
  const names = commands.map(
    ({ word, description }) => `        ${quoted(`${word}:${description}`)}`,
  );
  const cases = commands.map(({ word, words, options }) => {
    const first = words.length === 0 ? [] : [quoted(`1:what:(${words.join(" ")})`)];
    const rest = [...first, ...options.map(zshOption), "'*:file:_files'"];
    return `        ${word}) _arguments ${rest.join(" ")} ;;`;
  });
  return `#compdef auth-migrate
# zsh completion of auth-migrate: eval "$(auth-migrate completion zsh)", behind compinit
_auth_migrate() {
  local state line
  _arguments -C '1: :->command' '*:: :->rest'
  case "$state" in
    command)
      local -a commands
      commands=(
${names.join("\n")}
      )
      _describe command commands
      ;;
    rest)
      case "$words[1]" in
${cases.join("\n")}
      esac
      ;;
  esac
}
if [ "$funcstack[1]" = _auth_migrate ]; then _auth_migrate "$@"; else compdef _auth_migrate auth-migrate; fi
`;
}

function zshOption(option: OptionSpec): string {
  const text = (option.brief ?? option.help).replace(/[[\]\\:]/g, (sign) => `\\${sign}`);
  const values = valuesOf(option);
  const known =
    values === null ? "" : values.length > 0 ? `:value:(${values.join(" ")})` : ":value:";
  return quoted(`${flagOf(option)}[${text}]${isFile(option) ? ":file:_files" : known}`);
}

function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ word, description, words, options }) => {
    const under = `complete -c auth-migrate -n '__fish_seen_subcommand_from ${word}'`;
    return [
      `complete -c auth-migrate -f -n __fish_use_subcommand -a ${word} -d ${quoted(description)}`,
      ...(words.length === 0 ? [] : [`${under} -f -a ${quoted(words.join(" "))}`]),
      ...options.map((option) => {
        const values = valuesOf(option);
        const known = values?.length ? ` -x -a ${quoted(values.join(" "))}` : " -x";
        const after = values === null ? "" : isFile(option) ? " -r -F" : known;
        const help = quoted(option.brief ?? option.help);
        return `${under} -l ${flagOf(option).slice(2)}${after} -d ${help}`;
      }),
    ];
  });
  return `# fish completion of auth-migrate: auth-migrate completion fish | source\n${lines.join("\n")}\n`;
}

/** In single quotes, within which bash and zsh change nothing. fish reads backslashes there, and no text for it has one. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
