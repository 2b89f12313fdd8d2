/** Shell completion: each shell asks the command itself what may stand next, so that a script of a few lines is all that it needs. */

import { z } from "zod";
import type { OptionSpec } from "./options/option.js";

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** As it is typed, with the words that may follow: `import`, `checkpoint purge`, `bridge purge`. */
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionSpec[];
}

/** A word that may stand next, and what it means. */
type Candidate = readonly [word: string, meaning: string];

/** How a shell asks, and how it takes an answer's line. Where nothing may stand next, it names files. */
interface Shell {
  readonly script: string;
  readonly line: (candidate: Candidate) => string;
}

const SHELLS: Readonly<Record<string, Shell>> = {
  bash: {
    script: `# bash completion of auth-migrate: eval "$(auth-migrate completion bash)"
_auth_migrate() {
  mapfile -t COMPREPLY < <(auth-migrate completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _auth_migrate auth-migrate
`,
    line: ([word]) => word,
  },
  zsh: {
    script: `#compdef auth-migrate
# zsh completion of auth-migrate: eval "$(auth-migrate completion zsh)", behind compinit
_auth_migrate() {
  local -a found
  found=("\${(@f)$(auth-migrate completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [ -n "$found" ]; then _describe auth-migrate found; else _files; fi
}
if [ "$funcstack[1]" = _auth_migrate ]; then _auth_migrate "$@"; else compdef _auth_migrate auth-migrate; fi
`,
    line: ([word, meaning]) => `${word.replaceAll(":", "\\:")}:${meaning}`,
  },
  fish: {
    script: `# fish completion of auth-migrate: auth-migrate completion fish | source
complete -c auth-migrate -a '(auth-migrate completion fish -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
    line: ([word, meaning]) => `${word}\t${meaning}`,
  },
};

/** The shells, in words. */
export const SHELL_NAMES = "bash, zsh and fish, as in: auth-migrate completion bash";

/**
 * What a shell is told.
 *
 * @param words behind the program's name, the last one as far as it is typed; none asks for the
 *   shell's script
 * @returns null for a shell that isn't known
 */
export function completionFor(
  shell: string,
  words: readonly string[],
  commands: readonly CompletedCommand[],
): string | null {
  const known = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (known === undefined) return null;
  if (words.length === 0) return known.script;
  const found = candidates(words, commands).filter(([word]) => word.startsWith(words.at(-1) ?? ""));
  return found.map((candidate) => `${known.line(candidate)}\n`).join("");
}

function candidates(
  words: readonly string[],
  commands: readonly CompletedCommand[],
): readonly Candidate[] {
  const all: readonly CompletedCommand[] = [
    ...commands,
    {
      name: ["help", ...commands.map(({ name }) => firstOf(name)), "exit-codes"].join(" "),
      description: "say more of a command, of exit-codes, or show a page of docs",
      options: [],
    },
    {
      name: ["completion", ...Object.keys(SHELLS)].join(" "),
      description: "write the completion for a shell",
      options: [],
    },
  ];
  const typed = words.slice(0, -1);
  const command = all.find(({ name }) => typed.includes(firstOf(name)));
  if (command === undefined) {
    const first = all.map(({ name, description }): Candidate => [firstOf(name), description]);
    return [...first, ["--help", "display help"], ["--version", "say which version this is"]];
  }
  const before = command.options.find(({ flags }) => firstOf(flags) === typed.at(-1));
  if (before?.type instanceof z.ZodEnum) {
    return before.type.options.map((value) => [String(value), ""]);
  }
  if (before?.type !== undefined) return [];
  if (!words.at(-1)?.startsWith("-"))
    return command.name
      .split(" ")
      .slice(1)
      .map((word) => [word, ""]);
  const options = command.options.map(({ flags, brief, help }): Candidate => {
    return [firstOf(flags), brief ?? help];
  });
  return [...options, ["--help", "display help"]];
}

function firstOf(text: string): string {
  return text.split(" ", 1)[0] ?? "";
}
