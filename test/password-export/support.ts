/** Users and lines of a password export, as files and as what the join makes of them. */

import { writeFileSync } from "node:fs";
import { openInputs } from "../../src/source/inputs.js";
import { joinPasswords, type PasswordJoin } from "../../src/password-export/join.js";
import { loadPasswordExport, type PasswordExport } from "../../src/password-export/load-export.js";
import type { UserRecord } from "../../src/account/user-record.js";
import { collect } from "../source/support.js";

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

export function userLines(users: readonly TestUser[]): string {
  return ndjson(
    users.map(({ id, email, connection, provider = "auth0", hash }) => ({
      user_id: `${provider}|${id}`,
      email,
      email_verified: true,
      identities: [{ provider, user_id: id, connection, isSocial: false }],
      password_hash: hash,
    })),
  );
}

export function passwordLines(lines: readonly TestLine[]): string {
  return ndjson(
    lines.map(({ oid, altId, email, connection, hash }) => ({
      ...(oid === undefined ? {} : { _id: { $oid: oid } }),
      ...{ alt_id: altId, email, connection, passwordHash: hash },
    })),
  );
}

function ndjson(objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join("");
}

/** Joins users with lines and lets `work` look at it. */
export async function joined<T>(
  newPath: (name: string) => string,
  { users, lines }: { readonly users: string; readonly lines: string },
  work: (join: PasswordJoin, passwords: PasswordExport) => Promise<T>,
): Promise<T> {
  const [usersPath, linesPath] = [newPath("users.ndjson"), newPath("passwords.ndjson")];
  writeFileSync(usersPath, users);
  writeFileSync(linesPath, lines);
  const passwords = await loadPasswordExport([linesPath]);
  try {
    const inputs = await openInputs([usersPath], { from: "auth0" });
    return await work(await joinPasswords(inputs, passwords), passwords);
  } finally {
    passwords.close();
  }
}

/** All records of a join's inputs, in order. */
export async function recordsOf({ inputs }: PasswordJoin): Promise<UserRecord[]> {
  const records: UserRecord[] = [];
  for (const input of inputs) {
    for (const item of await collect(input.read({}))) {
      if (item.kind === "record") records.push(item.record);
    }
  }
  return records;
}

/** What a record has of a hash, in short. */
export function hashOf({ hash }: UserRecord): string | null {
  if (hash === null) return null;
  return hash.kind === "text" ? hash.text : "ambiguous";
}
