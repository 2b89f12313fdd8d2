/** A migration in a folder of its own: an export, an embedded core, a checkpoint, and runs over them. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Core, CoreTarget } from "../../../src/core/core.js";
import type { CoreUser } from "../../../src/core/user.js";
import { type EmbeddedCore, openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import type { Finding, RowEvent } from "../../../src/events/events.js";
import type { ImportSummary } from "../../../src/events/summary.js";
import { importUsers } from "../../../src/run/import-users.js";
import { openInputs } from "../../../src/source/inputs.js";
import type { GivenImport } from "../../../src/run/defaults.js";
import { SIGNER_KEY } from "../../support/known-hashes.js";

/** One row of a CSV export. */
export interface Row {
  readonly id?: string;
  readonly email?: string;
  readonly emailVerified?: string;
  readonly phone?: string;
  readonly hash?: string;
  readonly disabled?: string;
}

const HEADER = "id,email,email_verified,phone,password_hash,disabled";

export function csvOf(rows: readonly Row[]): string {
  const lines = rows.map(({ id, email, emailVerified, phone, hash, disabled }) =>
    [id, email, emailVerified, phone, hash, disabled].join(","),
  );
  return `${[HEADER, ...lines].join("\n")}\n`;
}

/** What a run may do otherwise than by default. */
export type RunOptions = Partial<GivenImport>;

export interface Run {
  readonly summary: ImportSummary;
  readonly events: readonly RowEvent[];
  readonly findings: readonly Finding[];
}

/** Where strangers may come to a core at any time, so that a run looks everybody up. */
export const BEHIND_URL = { kind: "remote", url: "http://127.0.0.1:3567" } as const;
export const ELSEWHERE: CoreTarget = BEHIND_URL;

export interface Migration {
  readonly core: EmbeddedCore;
  readonly checkpoint: string;
  /** Writes a file into the folder and answers its path. */
  write(name: string, text: string): string;
  options(files: readonly string[], options?: RunOptions): Promise<GivenImport>;
  /** Imports files; `core` may stand before the embedded one. */
  run(files: readonly string[], options?: RunOptions): Promise<Run>;
  /** Everybody at the core, by id, oldest first. */
  users(): Promise<CoreUser[]>;
  /** Closes the core, as the end of the test does: for a test that makes many. */
  close(): Promise<void>;
}

/** A core that takes accounts part by part, as remote ones do. */
export function singly<Given extends Core>(core: Given): Given {
  const capabilities = async () => ({ ...(await core.capabilities()), importAccount: false });
  return { ...core, capabilities };
}

/**
 * @param newPath from `temporaryPaths`
 * @param as how the core is offered; unless told otherwise, with a call for each part
 */
export function newMigration(
  newPath: (name: string) => string,
  as: (core: EmbeddedCore) => EmbeddedCore = singly,
): Migration {
  const folder = newPath("migration");
  mkdirSync(folder);
  const checkpoint = join(folder, "checkpoint");
  const core = as(openEmbeddedCore({ file: join(folder, "core.db"), signerKey: SIGNER_KEY }));
  let closed: Promise<void> | null = null;
  const close = () => (closed ??= core.close());
  onTestFinished(close);

  const options: Migration["options"] = async (files, changes) => ({
    inputs: await openInputs(files),
    core,
    // Also of a core that stands before it.
    binding: { kind: "embedded", coreId: core.coreId },
    checkpoint,
    concurrency: 64,
    // As the command line has it.
    ...changes,
  });
  return {
    core,
    checkpoint,
    write(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    options,
    async run(files, changes) {
      const events: RowEvent[] = [];
      const findings: Finding[] = [];
      const onEvent: GivenImport["onEvent"] = (event) => {
        if (event.type === "finding") findings.push(event);
        else if ("row" in event) events.push(event);
      };
      const summary = await importUsers(await options(files, { onEvent, ...changes }));
      return { summary, events, findings };
    },
    users: () => allUsers(core),
    close,
  };
}

export async function allUsers(core: Core): Promise<CoreUser[]> {
  const users: CoreUser[] = [];
  let next: { readonly paginationToken?: string } | null = {};
  while (next !== null) {
    const page = await core.listUsers({ limit: 500, ...next });
    users.push(...page.users);
    const { nextPaginationToken: paginationToken } = page;
    next = paginationToken === undefined ? null : { paginationToken };
  }
  return users;
}

/** The summary's seven outcomes and what is pending. */
export function outcomes(summary: ImportSummary): Record<string, number> {
  const { imported, created, existed, skipped, rejected, failed, unchanged, pending } = summary;
  const all = { imported, created, existed, skipped, rejected, failed, unchanged, pending };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}

/** What a row ended with, in one word. */
export function told({ type, row, code }: RowEvent): string {
  return `${row.number} ${type} ${code}`;
}
