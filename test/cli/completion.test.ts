import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { loadVerbs } from "../../src/cli/program.js";
import { runCli } from "../support/cli.js";
import { workFolders } from "./support.js";

const workFolder = workFolders();

it.concurrent.each(["bash", "zsh", "fish"])(
  "the completion for %s has every command and every option of it",
  async (shell) => {
    const { code, stdout } = await runCli(["completion", shell], { cwd: workFolder() });
    expect(code).toBe(0);
    for (const [name, { options }] of await loadVerbs()) {
      expect(stdout).toContain(name.split(" ")[0]);
      for (const { flags } of Object.values(options)) {
        const flag = flags.split(" ")[0] ?? "";
        expect(stdout).toContain(shell === "fish" ? `-l ${flag.slice(2)} ` : flag);
      }
    }
    expect(stdout).toContain("skip update fail");
  },
);

it.concurrent("the completion for bash is a script that bash can read", async () => {
  const { stdout } = await runCli(["completion", "bash"], { cwd: workFolder() });
  const { status, stderr } = spawnSync("bash", ["-n"], { input: stdout, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});

it.concurrent.each([
  [["bridge", ""], "purge"],
  [["help", "imp"], "import"],
  [["help", "ex"], "exit-codes"],
  [["checkpoint", ""], "purge"],
])("the completion for bash of %j is %s", async (words, completed) => {
  const { stdout } = await runCli(["completion", "bash"], { cwd: workFolder() });
  const typed = `COMP_WORDS=(auth-migrate ${words.map((word) => `'${word}'`).join(" ")})`;
  const script = `${stdout}\n${typed}; COMP_CWORD=2; _auth_migrate; printf %s "\${COMPREPLY[*]}"`;
  expect(spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout).toBe(completed);
});

it.concurrent.each([[[]], [["tcsh"]]])(
  "there is none for %j, and the message names those that there are",
  async (shell) => {
    const { code, stderr } = await runCli(["completion", ...shell], { cwd: workFolder() });
    expect(code).toBe(2);
    expect(stderr).toContain("bash, zsh and fish");
  },
);
