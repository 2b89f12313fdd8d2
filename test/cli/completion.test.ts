import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { loadVerbs } from "../../src/cli/program.js";
import { runCli } from "../support/cli.js";
import { workFolders } from "./support.js";

const workFolder = workFolders();

async function completion(shell: string, ...words: readonly string[]): Promise<string[]> {
  const args = words.length === 0 ? [] : ["--", ...words];
  const { code, stdout } = await runCli(["completion", shell, ...args], { cwd: workFolder() });
  expect(code).toBe(0);
  return stdout.split("\n").slice(0, -1);
}

it("every command and every option of it is completed", async () => {
  const commands = await completion("bash", "");
  for (const [name, { options }] of await loadVerbs()) {
    const command = name.split(" ")[0] ?? "";
    expect(commands).toContain(command);
    const flags = Object.values(options).map(({ flags }) => flags.split(" ")[0]);
    expect(await completion("bash", command, "--")).toEqual([...flags, "--help"]);
  }
});

it.concurrent.each([
  [["recon"], ["reconcile"]],
  [
    ["import", "--on-existing", ""],
    ["skip", "update", "fail"],
  ],
  [["import", "--on-existing", "u"], ["update"]],
  [["import", "--checkpoint", ""], []],
  [["import", "--quiet", ""], []],
  [["bridge", ""], ["purge"]],
  [["help", "imp"], ["import"]],
  [["help", "ex"], ["exit-codes"]],
  [["checkpoint", ""], ["purge"]],
  [["completion", "z"], ["zsh"]],
])("of %j may follow %j", async (words, completed) => {
  expect(await completion("bash", ...words)).toEqual(completed);
});

it.concurrent("zsh and fish are told what each word means", async () => {
  const meaning = "ask the core whether it has the finished users";
  expect(await completion("zsh", "recon")).toEqual([`reconcile:${meaning}`]);
  expect(await completion("fish", "recon")).toEqual([`reconcile\t${meaning}`]);
});

it.concurrent.each(["bash", "zsh"])("%s can read its script", async (shell) => {
  const input = (await completion(shell)).join("\n");
  const { status, stderr, error } = spawnSync(shell, ["-n"], { input, encoding: "utf8" });
  if (error !== undefined && shell !== "bash") return;
  expect([status, stderr]).toEqual([0, ""]);
});

it.concurrent("there is none for another shell, and the message names those that there are", async () => {
  const { code, stderr } = await runCli(["completion", "tcsh"], { cwd: workFolder() });
  expect(code).toBe(2);
  expect(stderr).toContain("bash, zsh and fish");
});
