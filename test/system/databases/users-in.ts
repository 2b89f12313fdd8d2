/** What a database's users become, as an expectation of a file's has them. */

import { shown } from "../../../src/conformance/expectation.js";
import type { DatabaseInput } from "../../../src/source/database/database.js";
import { closeInputs, type InputOptions, openInputs } from "../../../src/source/inputs.js";

/** When the tests' runs begin. */
const NOW = Date.parse("2026-11-01T00:00:00Z");

/** Reads all rows; the reason is by what it was recognized. */
export async function usersIn(input: DatabaseInput | string, options: InputOptions = {}) {
  const inputs = await openInputs([input], { now: NOW, ...options });
  try {
    const [opened] = inputs;
    if (opened === undefined) throw new Error("nothing was opened");
    const items: Readonly<Record<string, unknown>>[] = [];
    for await (const batch of opened.read({ keepsAccount: "all" })) items.push(...batch.map(shown));
    const { path, reason } = opened;
    return { path, source: opened.source.name, reason, items };
  } finally {
    await closeInputs(inputs);
  }
}

/** What a database can't be read for. */
export async function refused(input: DatabaseInput) {
  try {
    await usersIn(input);
  } catch (error) {
    return error;
  }
  throw new Error("it was read");
}

/** The same in a line a user: id, contacts, hash, who is left out, and the account's parts that are there. */
export function toldOf(items: readonly Readonly<Record<string, unknown>>[]): string[] {
  return items.map(({ kind, code, record }) => {
    if (kind !== "record") return `${String(kind)} ${String(code)}`;
    const { sourceId, email, phone, hash, exclusions, notices, account } = record as Told;
    const { roles, social, totp, losesFactor, joined, metadata } = account ?? NO_PARTS;
    const contact = (one: Told["email"]): string =>
      one === null ? "-" : `${one.value}${one.verified === null ? "" : one.verified ? "+" : "!"}`;
    const parts = [
      ...exclusions,
      ...roles.map((role) => `role:${role}`),
      ...social.map(({ vendorProvider, id }) => `${vendorProvider}:${id}`),
      ...totp.map(({ secret, period, digits }) => `totp:${secret}/${period}/${digits}`),
      ...(losesFactor ? ["factor lost"] : []),
      ...(joined === null ? [] : [new Date(joined).toISOString().slice(0, 10)]),
      ...Object.entries(metadata).map(([name, value]) => `${name}=${String(value)}`),
      ...notices.map((notice) => `(${notice})`),
    ];
    const text = hash === null ? "-" : (hash.text ?? JSON.stringify(hash)).slice(0, 14);
    return [sourceId, contact(email), contact(phone), text, ...parts].join(" ");
  });
}

const NO_PARTS: NonNullable<Told["account"]> = {
  ...{ roles: [], social: [], totp: [], losesFactor: false, joined: null, metadata: {} },
};

interface Told {
  readonly sourceId: string | null;
  readonly email: { readonly value: string; readonly verified: boolean | null } | null;
  readonly phone: Told["email"];
  readonly hash: { readonly text?: string } | null;
  readonly exclusions: readonly string[];
  readonly notices: readonly string[];
  /** Absent where nothing of a table says more. */
  readonly account?: {
    readonly roles: readonly string[];
    readonly social: readonly { readonly vendorProvider: string; readonly id: string }[];
    readonly totp: readonly {
      readonly secret: string;
      readonly period: number;
      readonly digits: number;
    }[];
    readonly losesFactor: boolean;
    readonly joined: number | null;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
}
