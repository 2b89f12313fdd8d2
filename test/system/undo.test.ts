import { expect, it } from "vitest";
import { workFolders, writeInto } from "../cli/support.js";
import { runCli } from "../support/cli.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { terminals } from "./support/terminal.js";

const workFolder = workFolders();
const openTerminal = terminals();

it("an undo says whom it would remove, who would stay and why, before it asks", async () => {
  const cwd = workFolder();
  const { passwordHash } = KNOWN_HASHES.bcrypt;
  const rows = [`u-1,ann@example.com,true,${passwordHash}`, "u-2,ben@example.com,true,"];
  writeInto(cwd, "users.csv", ["id,email,email_verified,password_hash", ...rows].join("\n"));
  const imported = await runCli(["import", "users.csv", "--data", "core.db"], { cwd });
  expect(imported.code, imported.stdout).toBe(0);
  const terminal = openTerminal({ cwd, columns: 80, lines: 24 });
  terminal.run("undo", "--data", "core.db");
  await terminal.asks("Remove 1 user from the embedded core core.db?");
  const screen = terminal.screen();
  expect(screen).toMatch(/\n {2}sign_in_unknown {3}1 /);
  expect(screen).toContain("An undo would remove 1 user. 1 user stays.");
  expect(screen).toContain("\n  auth-migrate undo --data core.db --assume-never-signed-in");
  terminal.press("Left", "Enter");
  await terminal.sees("Removed 1 user. 1 user stays.");
  await terminal.exits(65);
});
