import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { workFolders, writeInto } from "../cli/support.js";
import { terminals } from "./support/terminal.js";

const PROJECT = fileURLToPath(
  new URL("../cli/fixtures/known-answers/firebase/project-1/", import.meta.url),
);
const PASSWORD = "this$is%to^test&some=symbols*out@";
const workFolder = workFolders();
const openTerminal = terminals();

/** A folder with an export and the parameters of its hashes. */
function projectFolder(): string {
  const cwd = workFolder();
  for (const name of ["users.json", "hash-config.txt"]) {
    writeInto(cwd, name, readFileSync(join(PROJECT, name)));
  }
  return cwd;
}

it.each([60, 100])("prove hides the password that it asks for on %i columns", async (columns) => {
  const terminal = openTerminal({ cwd: projectFolder(), columns });
  const user = ["--user", "ada.brandt@example.com"];
  terminal.run("prove", "users.json", ...user, "--hash-config", "hash-config.txt");
  await terminal.asks("Password of ada.brandt@example.com");
  terminal.type(PASSWORD);
  terminal.press("Enter");
  await terminal.exits(0);
  await terminal.sees("Proved");
  expect(terminal.screen().replaceAll("\n", "").includes(PASSWORD)).toBe(false);
});

it("prove asks for a second user after one that failed, and for no third after two", async () => {
  const terminal = openTerminal({ cwd: projectFolder(), columns: 100 });
  const user = ["--user", "ada.brandt@example.com"];
  terminal.run("prove", "users.json", ...user, "--hash-config", "hash-config.txt");
  await terminal.asks("Password of ada.brandt@example.com");
  terminal.type("no password of hers");
  terminal.press("Enter");
  await terminal.asks("Prove with a second user");
  terminal.press("Enter");
  await terminal.asks("A user whose password you know: email, phone or id");
  terminal.type("bilal.cruz@example.com");
  terminal.press("Enter");
  await terminal.asks("Password of bilal.cruz@example.com");
  terminal.type("no password of his");
  terminal.press("Enter");
  await terminal.exits(78);
});
