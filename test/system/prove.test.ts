import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { workFolders, writeInto } from "../cli/support.js";
import { CHEAP, firebaseOf, KEY, scryptOf } from "../run/support/test-users.js";
import { terminals } from "./support/terminal.js";

const PROJECT = fileURLToPath(
  new URL("../cli/fixtures/known-answers/firebase/project-1/", import.meta.url),
);
const PASSWORD = "this$is%to^test&some=symbols*out@";
/** A password that doesn't fit is tried in many ways, each of which costs a hash. */
const CHEAP_CONFIG = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: ${KEY.toString("base64")},
  base64_salt_separator: ${CHEAP.saltSeparator},
  rounds: ${CHEAP.rounds},
  mem_cost: ${CHEAP.memCost},
}`;
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

/** Answers the two questions of a proof by a password that isn't the user's. */
async function failFor(terminal: ReturnType<typeof openTerminal>, user: string): Promise<void> {
  await terminal.asks("A user whose password you know: email, phone or id");
  terminal.type(user);
  terminal.press("Enter");
  await terminal.asks(`Password of ${user}`);
  terminal.type("no password of theirs");
  terminal.press("Enter");
}

it.each([60, 100])("prove hides the password that it asks for on %i columns", async (columns) => {
  const terminal = openTerminal({ cwd: projectFolder(), columns });
  terminal.run("prove", "users.json", "--hash-config", "hash-config.txt");
  await terminal.asks("A user whose password you know: email, phone or id");
  terminal.type("ada.brandt@example.com");
  terminal.press("Enter");
  await terminal.asks("Password of ada.brandt@example.com");
  terminal.type(PASSWORD);
  terminal.press("Enter");
  await terminal.exits(0);
  await terminal.sees("Proved");
  expect(terminal.screen().replaceAll("\n", "").includes(PASSWORD)).toBe(false);
});

it("prove asks for a second user after one that failed, and for no third after two", async () => {
  const [ada, bilal] = ["ada.brandt@example.com", "bilal.cruz@example.com"] as const;
  const users = [ada, bilal].map((email) => ({ id: email, email, ...scryptOf(PASSWORD) }));
  const cwd = workFolder();
  writeInto(cwd, "users.json", firebaseOf(users));
  writeInto(cwd, "hash-config.txt", CHEAP_CONFIG);
  const terminal = openTerminal({ cwd, columns: 100 });
  terminal.run("prove", "users.json", "--hash-config", "hash-config.txt");
  await failFor(terminal, ada);
  await terminal.asks("And now?");
  terminal.press("Enter");
  await failFor(terminal, bilal);
  await terminal.exits(78);
});

it("import stops behind a failed proof where that is chosen, and leaves nothing", async () => {
  const ada = "ada.brandt@example.com";
  const cwd = workFolder();
  writeInto(cwd, "users.json", firebaseOf([{ id: ada, email: ada, ...scryptOf(PASSWORD) }]));
  writeInto(cwd, "hash-config.txt", CHEAP_CONFIG);
  const terminal = openTerminal({ cwd, columns: 100 });
  terminal.run("import", "users.json", "--hash-config", "hash-config.txt");
  await failFor(terminal, ada);
  await terminal.sees("Stop: nothing is sent");
  // Below it is the way back, as in all lists.
  await terminal.sees("Back to the question before");
  terminal.press("Up", "Up", "Enter");
  await terminal.exits(130);
  expect(readdirSync(cwd).sort()).toEqual(["hash-config.txt", "users.json"]);
});

it("import asks once for a user whose password proves the signer key, and hears nothing while it tries", async () => {
  const ada = "ada.brandt@example.com";
  const cwd = workFolder();
  writeInto(cwd, "users.json", firebaseOf([{ id: ada, email: ada, ...scryptOf(PASSWORD) }]));
  writeInto(cwd, "hash-config.txt", CHEAP_CONFIG);
  const terminal = openTerminal({ cwd, columns: 100 });
  terminal.run("import", "users.json", "--hash-config", "hash-config.txt");
  await terminal.asks("A user whose password you know");
  terminal.type("nobody@example.com");
  terminal.press("Enter");
  await terminal.sees("No row of the files is this user's.");
  terminal.press("C-u");
  terminal.type(ada);
  terminal.press("Enter");
  await terminal.asks(`Password of ${ada}`);
  terminal.type("no password of hers");
  terminal.press("Enter");
  terminal.type("typed too early");
  await terminal.asks("And now?");
  terminal.press("Down", "Enter");
  await terminal.asks(`Password of ${ada}`);
  terminal.type(PASSWORD);
  terminal.press("Enter");
  await terminal.sees("Proved: the password verifies against the hash of row 1.");
  await terminal.asks("Import 1 row");
  terminal.type("y");
  await terminal.exits(0);
  expect(terminal.screen().replaceAll("\n", "")).not.toMatch(/some=symbols|typed too early/);
  writeInto(cwd, "newer.json", firebaseOf([{ id: "b", email: "b@example.com", ...scryptOf("B") }]));
  const again = openTerminal({ cwd, columns: 100 });
  again.run("import", "newer.json", "--hash-config", "hash-config.txt");
  await again.exits(0);
  expect(again.screen()).toContain(
    "Proved by an earlier run: key and parameters are still the same.",
  );
  writeInto(cwd, "other.txt", CHEAP_CONFIG.replace(/(signer_key: )..../, "$1AAAA"));
  const other = openTerminal({ cwd, columns: 100 });
  other.run("import", "users.json", "--hash-config", "other.txt");
  await other.sees(
    "The signer key is not what an earlier run has proved. One of the two locks its",
  );
  await other.sees("Leave the user empty to stop.");
  await failFor(other, ada);
  await other.asks("And now?");
  expect(other.screen()).toContain("Stop: nothing is sent");
  expect(other.screen()).not.toMatch(/go on without/i);
  other.press("Enter");
  await other.asks("A user whose password you know");
  other.press("Enter");
  await other.exits(130);
  expect(other.screen().replaceAll(/\s+/g, " ")).toContain("Give what was proved");
});
