/** Users and lines of a password export, as files and as what the join makes of them. */

import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Finding } from "../../src/events/events.js";
import type { Part } from "../../src/events/shard.js";
import type { PasswordCoverage } from "../../src/events/summary.js";
import { SYSTEM_TIMING } from "../../src/events/timing.js";
import { readInputs } from "../../src/stage/read-inputs.js";
import { loadPasswordExport, type PasswordExport } from "../../src/password-export/load-export.js";
import { createDryDigester } from "../../src/plan/digests.js";
import type { Plan } from "../../src/plan/plan.js";
import { completeReading } from "../../src/run/defaults.js";
import { type Input, openInputs } from "../../src/source/inputs.js";
import { Stage } from "../../src/stage/stage.js";

export interface TestUser {
  readonly id: string;
  readonly email?: string | undefined;
  readonly connection?: string | undefined;
  /** `auth0` by default. */
  readonly provider?: string | undefined;
  readonly hash?: string | undefined;
}

export interface TestLine {
  readonly oid?: string | undefined;
  readonly altId?: string | undefined;
  readonly email?: string | undefined;
  readonly connection?: string | undefined;
  readonly hash?: string | undefined;
}

const SALTED = "$2b$04$kWru01o9W3Sr.n9VuWmdDO";
const NAME_AT = SALTED.length;

/** The bcrypt hash that a test calls by a short name. */
export function hashNamed(name: string): string {
  return `${SALTED}${name.padEnd(3, "x")}0lQl02fRZH3HO/jfbbNyBTWKLzQ6`.slice(0, 60);
}

function named(hash: string | undefined): string | undefined {
  return hash === undefined ? undefined : hashNamed(hash);
}

export function userLines(users: readonly TestUser[]): string {
  return ndjson(
    users.map(({ id, email, connection, provider = "auth0", hash }) => ({
      user_id: `${provider}|${id}`,
      email,
      email_verified: true,
      identities: [{ provider, user_id: id, connection, isSocial: false }],
      password_hash: named(hash),
    })),
  );
}

export function passwordLines(lines: readonly TestLine[]): string {
  return ndjson(
    lines.map(({ oid, altId, email, connection, hash }) => ({
      ...(oid === undefined ? {} : { _id: { $oid: oid } }),
      ...{ alt_id: altId, email, connection, passwordHash: named(hash) },
    })),
  );
}

function ndjson(objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join("");
}

/** What a reading that is joined with a password export makes of its users. */
export interface Joined {
  readonly plans: readonly Plan[];
  /** Of each user: the name of their hash, `ambiguous`, or null; undefined where the plan doesn't show it. */
  readonly hashes: readonly (string | null | undefined)[];
  readonly coverage: PasswordCoverage | null;
  readonly findings: readonly Finding[];
}

/** Reads inputs into a stage, joined with a password export. */
export async function joinInputs(
  inputs: readonly Input[],
  passwordExport: PasswordExport,
  part?: Part,
): Promise<Joined> {
  const stage = new Stage(tmpdir());
  try {
    const { findings, passwordExport: coverage } = await readInputs(
      completeReading({ inputs, passwordExport, part }),
      {
        stage,
        signal: new AbortController().signal,
        timing: SYSTEM_TIMING,
        start: 0,
        emit() {},
        digester: createDryDigester(),
      },
    );
    const rows = inputs.flatMap((input) => [...stage.read(input)].flat());
    const plans = rows.flatMap(({ user }) => user?.plan ?? []);
    return { plans, hashes: plans.map(hashOf), coverage, findings };
  } finally {
    stage.close();
  }
}

/** What a plan has of a hash, by its name. */
function hashOf(plan: Plan): string | null | undefined {
  if (plan.kind === "import")
    return plan.passwordHash.slice(NAME_AT, NAME_AT + 3).replace(/x+$/, "");
  if (plan.kind === "passwordless") return null;
  return "code" in plan && plan.code === "credential_ambiguous" ? "ambiguous" : undefined;
}

/** Lets `work` have users and lines as files. */
export async function withFiles<T>(
  newPath: (name: string) => string,
  { users, lines }: { readonly users: string; readonly lines: string },
  work: (inputs: readonly Input[], passwords: PasswordExport) => Promise<T>,
): Promise<T> {
  const [usersPath, linesPath] = [newPath("users.ndjson"), newPath("passwords.ndjson")];
  writeFileSync(usersPath, users);
  writeFileSync(linesPath, lines);
  const passwords = await loadPasswordExport([linesPath]);
  try {
    return await work(await openInputs([usersPath], { from: "auth0" }), passwords);
  } finally {
    passwords.close();
  }
}

/** The same users, piped in. */
export function piped(users: string): Promise<Input[]> {
  async function* stdin(): AsyncGenerator<Buffer> {
    yield Buffer.from(users);
  }
  return openInputs(["-"], { from: "auth0", stdin: stdin() });
}
