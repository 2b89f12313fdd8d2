import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { workFolders } from "../cli/support.js";
import { BIN } from "../support/cli.js";
import { terminals } from "./support/terminal.js";

const workFolder = workFolders();
const openTerminal = terminals();

/** How each shell starts without anybody's own settings, and takes the completion. */
const SHELLS = {
  bash: ["bash --norc --noprofile -i", 'eval "$(auth-migrate completion bash)"'],
  zsh: [
    "zsh -f",
    'autoload -U compinit && compinit -D -u && eval "$(auth-migrate completion zsh)"',
  ],
  fish: ["fish --no-config", "auth-migrate completion fish | source"],
} as const;

function isThere(shell: string): boolean {
  const found = spawnSync(shell, ["--version"]).error === undefined;
  if (!found) console.error(`!!! LEFT OUT: completion in ${shell}, which isn't installed !!!`);
  return found;
}

/** A folder with the command under its name, as an installation puts it into the path. */
function installed(): string {
  const folder = workFolder();
  const command = join(folder, "auth-migrate");
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(command, 0o755);
  return folder;
}

describe.each(Object.entries(SHELLS))("in %s", (shell, [start, take]) => {
  it.runIf(isThere(shell))("Tab completes commands, options and their values", async () => {
    const cwd = installed();
    const env = { PATH: `${cwd}:${process.env.PATH}`, HOME: cwd };
    const terminal = openTerminal({ cwd, columns: 100, lines: 50, env });
    const enter = (line: string): void => {
      terminal.type(line);
      terminal.press("Enter");
    };
    enter(start);
    enter(`${take}; echo is-ta''ken`);
    await terminal.sees("is-taken");
    terminal.type("auth-migrate recon");
    terminal.press("Tab");
    await terminal.sees(/auth-migrate reconcile/);
    terminal.press("C-u");
    terminal.type("auth-migrate import --on-ex");
    terminal.press("Tab");
    await terminal.sees(/auth-migrate import --on-existing/);
    terminal.type(" ");
    terminal.press("Tab", "Tab");
    await terminal.sees(/fail\W.*skip\W.*update|skip\W.*update\W.*fail/s);
  });
});
