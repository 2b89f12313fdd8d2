import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runCli, type ServedCore, serveHere } from "../support/cli.js";
import { everyone, type JsonLine, jsonLines, signIn, workFolders, writeInto } from "./support.js";
import { repeated } from "../support/repeated.js";

// Hashes that the vendor and SuperTokens publish together with their passwords; one
// export for each signer key, with its parameters as the vendor's console shows them.
const FIXTURES = fileURLToPath(new URL("./fixtures/known-answers/", import.meta.url));
const FIREBASE = join(FIXTURES, "firebase");
const workFolder = workFolders();

type Passwords = Record<string, string>;

function passwordsIn(folder: string): Passwords {
  return JSON.parse(readFileSync(join(folder, "passwords.json"), "utf8"));
}

async function importAndServe(
  files: readonly string[],
  options: readonly string[],
): Promise<{ lines: JsonLine[]; exitCode: number | null; core: ServedCore }> {
  const cwd = workFolder();
  const { code, stdout } = await runCli(["import", ...files, ...options, "--json"], { cwd });
  const core = await serveHere({ cwd, args: options });
  return { lines: jsonLines(stdout), exitCode: code, core };
}

async function expectOnlyRightPasswords(core: ServedCore, passwords: Passwords): Promise<void> {
  for (const [email, password] of Object.entries(passwords)) {
    const user = email.split("@")[0];
    expect(await signIn(core, email, password), user).toBe("OK");
    const wrong = password.replace(/.$/, (last) => (last === "3" ? "4" : "3"));
    expect(await signIn(core, email, wrong), user).toBe("WRONG_CREDENTIALS_ERROR");
  }
}

/** Nine rounds, which few accounts have, come first. */
const PROJECTS = readdirSync(FIREBASE).slice(
  0,
  repeated({ variable: "AUTH_MIGRATE_KNOWN_PROJECTS", few: 1, full: 5 }),
);

test.concurrent.each(PROJECTS)("Firebase users of %s keep their passwords", async (name) => {
  const folder = join(FIREBASE, name);
  const passwords = passwordsIn(folder);
  const count = Object.keys(passwords).length;
  const { lines, exitCode, core } = await importAndServe(
    [join(folder, "users.json")],
    ["--hash-config", join(folder, "hash-config.txt")],
  );
  expect(exitCode).toBe(0);
  expect(lines.at(-1)).toMatchObject({
    source: "firebase",
    read: count,
    imported: count,
    algorithms: { vendor_scrypt: count },
  });
  await expectOnlyRightPasswords(core, passwords);
  await core.stop();
});

test.concurrent.each(PROJECTS)(
  "Firebase users of %s are proved by their passwords",
  async (name) => {
    const [cwd, folder] = [workFolder(), join(FIREBASE, name)];
    const lines = Object.entries(passwordsIn(folder)).map(([user, one]) => `${user},"${one}"\n`);
    const passwords = writeInto(cwd, "passwords.csv", lines.join(""));
    const options = ["--hash-config", join(folder, "hash-config.txt"), "--passwords", passwords];
    const args = ["prove", join(folder, "users.json"), ...options, "--json"];
    const { code, stdout } = await runCli(args, { cwd });
    const verdicts = jsonLines(stdout).flatMap(({ type, verdict }) =>
      type === "proof" ? [verdict] : [],
    );
    expect(verdicts).toEqual(lines.map(() => "proved"));
    expect(code).toBe(0);
  },
);

test.concurrent("another project's signer key lets nobody in, and the export doesn't tell", async () => {
  const folder = join(FIREBASE, "project-3");
  const { exitCode, core } = await importAndServe(
    [join(folder, "users.json")],
    ["--hash-config", join(FIREBASE, "project-1", "hash-config.txt")],
  );
  expect(exitCode).toBe(0);
  for (const [email, password] of Object.entries(passwordsIn(folder))) {
    expect(await signIn(core, email, password)).toBe("WRONG_CREDENTIALS_ERROR");
  }
  await core.stop();
});

test.concurrent("users of a CSV keep their bcrypt passwords, but for the one that no core could verify", async () => {
  const folder = join(FIXTURES, "csv");
  const { lines, exitCode, core } = await importAndServe([join(folder, "users.csv")], []);
  expect(exitCode).toBe(65);
  // $2x$ marks hashes of a faulty implementation; as $2a$ those of passwords beyond ASCII would
  // never verify.
  expect(lines.filter(({ type }) => type === "reject")).toMatchObject([
    { row: { number: 6 }, sourceId: "6", code: "bcrypt_2x" },
  ]);
  expect(lines.at(-1)).toMatchObject({ read: 6, imported: 5, rejected: 1 });
  const { "vito.wolf@example.com": refused, ...accepted } = passwordsIn(folder);
  await expectOnlyRightPasswords(core, accepted);
  expect(await signIn(core, "vito.wolf@example.com", refused ?? "")).toBe(
    "WRONG_CREDENTIALS_ERROR",
  );
  expect(await everyone(core)).toHaveLength(5);
  await core.stop();
});
