/** What the command-line tests share: the demo export, JSON lines, calls at a served core, and what a failure must look like. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { RUN_ERRORS, type RunErrorCode } from "../../src/errors/run-error.js";
import { type CliOptions, runCli, type ServedCore } from "../support/cli.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const DEMO = fileURLToPath(new URL("../../fixtures/demo/", import.meta.url));

export const USERS = join(DEMO, "users.csv");
export const PROBLEMS = join(DEMO, "users-with-problems.csv");
export const PASSWORDS = join(DEMO, "passwords.csv");
export const HASH_CONFIG = join(DEMO, "hash-config.txt");
/** `import` of the demo export, up to the target. */
export const IMPORT_DEMO = ["import", USERS, "--hash-config", HASH_CONFIG] as const;

/** `import` of {@link writeSmallExport}, up to the target. */
export const IMPORT_SMALL = ["import", "users.csv", "--hash-config", HASH_CONFIG] as const;

/** Writes every fourth row of the demo export as users.csv: 62 users of all kinds, of whom two are disabled. */
export function writeSmallExport(folder: string): void {
  const [header = "", ...rows] = readFileSync(USERS, "utf8").trim().split("\n");
  const some = rows.filter((_row, index) => index % 4 === 0);
  writeInto(folder, "users.csv", [header, ...some].join("\n"));
}

/** Of the demo's test users one with each algorithm; the costs of all sixteen are a second of work. */
export const SOME_PASSWORDS = readFileSync(PASSWORDS, "utf8")
  .split("\n")
  .filter((line) => /,(?:node bcrypt|argon2id|vendor scrypt)$/.test(line))
  .filter((_line, index) => index % 2 === 0)
  .map((line) => line.replace(/,[^,]*$/, ""))
  .join("\n");

/** A line of `--json` output. */
export interface JsonLine {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What a run that can't go on tells. Its exit code hangs on its code, as docs/exit-codes.md has it. */
export interface ExpectedFailure {
  readonly code: string;
  /** What the message says: what happened, and where. */
  readonly says: RegExp;
  /** What the hint names: the next step. */
  readonly next: RegExp;
}

/** Rows for `it.each`, each under its title: vitest puts a `$title` in quotes and cuts it off. */
export function titled<T extends { readonly title: string }>(
  cases: readonly T[],
): readonly (readonly [string, T])[] {
  return cases.map((each) => [each.title, each]);
}

/** Answers a new, empty working directory at every call. */
export function workFolders(parent?: string): () => string {
  const path = temporaryPaths(parent);
  return () => {
    const folder = path("work");
    mkdirSync(folder);
    return folder;
  };
}

/** Writes a file into a working directory and answers its name. */
export function writeInto(folder: string, name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return name;
}

/** The lines of `--json` output, each checked for what every line has. */
export function jsonLines(stdout: string): JsonLine[] {
  expect(stdout === "" || stdout.endsWith("\n")).toBe(true);
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((text) => {
      const line: JsonLine = JSON.parse(text);
      expect(line).toMatchObject({ type: expect.any(String), v: 1 });
      return line;
    });
}

/** The summary with which a run's JSON lines end. */
export function summaryOf(stdout: string): JsonLine {
  const last = jsonLines(stdout).at(-1);
  expect(last?.type).toBe("summary");
  return last ?? { type: "" };
}

/** The commands that a screen prints, as a person copies them. */
export function printed(stdout: string): string[] {
  const commands = stdout.matchAll(/(?:^ {2}|: )(auth-migrate (?:.*\\\n)*.*)$/gm);
  return [...commands].map(([, command = ""]) => command.replaceAll(/ *\\\n */g, " "));
}

/** Runs a command that has to fail: for people on stderr, for programs as the last JSON line. */
export async function expectFailure(
  args: readonly string[],
  options: CliOptions,
  { code, says, next }: ExpectedFailure,
): Promise<void> {
  const exitCode = RUN_ERRORS[code as RunErrorCode];
  const { code: actual, stdout, stderr } = await runCli([...args, "--json"], options);
  const last = jsonLines(stdout).at(-1);
  expect(last, stderr).toEqual({
    type: "error",
    v: 1,
    code,
    message: expect.stringMatching(says),
    hint: expect.stringMatching(next),
    exitCode,
  });
  expect(actual).toBe(exitCode);
  expect(stderr.endsWith(`auth-migrate: ${last?.message}\n${last?.hint}\n`)).toBe(true);
}

/** Calls a served core. */
export async function callCore(
  core: Pick<ServedCore, "url" | "apiKey">,
  path: string,
  body?: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${core.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "api-key": core.apiKey, "content-type": "application/json; charset=utf-8" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: Record<string, unknown> = JSON.parse(await response.text());
  return answer;
}

/** The status that a sign-in is answered with. */
export async function signIn(core: ServedCore, email: string, password: string): Promise<unknown> {
  return (await callCore(core, "/recipe/signin", { email, password })).status;
}

/** Every user of a served core as text, without ids and times: who is there, and how they sign in. */
export async function everyone(core: ServedCore): Promise<string[]> {
  const found: string[] = [];
  let token: unknown;
  do {
    const query =
      token === undefined ? "" : `&paginationToken=${encodeURIComponent(String(token))}`;
    const page = await callCore(core, `/users?limit=500${query}`);
    const users = Array.isArray(page.users) ? page.users : [];
    for (const { email, phoneNumber, loginMethods } of users) {
      found.push(JSON.stringify([loginMethods[0].recipeId, email, phoneNumber]));
    }
    token = page.nextPaginationToken;
  } while (token !== undefined);
  return found.sort();
}
