/**
 * Plays histories of a migration that are written as text, and writes down what became of each step.
 *
 * A row of an export is its id (`-` for none) and words: a name for its email (`ada`, or `ada.org`
 * for ada@example.org), a password for its hash, `cut` for a damaged one, `+02` for its phone,
 * `verified`, `unverified`, `disabled`. A step is `import` with its rows, `given` for one of which
 * nothing is written down, or what somebody else does at the core. In round brackets stands what
 * happens to calls: `(importUser dies after)`.
 */

import { CoreFailure, type CoreFailureKind } from "../../../src/core/core-failure.js";
import type { Core } from "../../../src/core/core.js";
import type { CoreUser } from "../../../src/core/user.js";
import type { Policy } from "../../../src/plan/policy.js";
import { recordCutover } from "../../../src/run/cutover.js";
import { csvOf, ELSEWHERE, type Migration, outcomes, type Row, type Run, told } from "./run.js";
import { bcryptOf } from "./test-users.js";
import { virtualTiming } from "./virtual-timing.js";

/** Passwords, each with a cheap hash. */
const HASHES = new Map(["OLD", "NEW", "THIRD", "THEIRS"].map((one) => [one, bcryptOf(one)]));

const POLICIES: Readonly<Record<string, Partial<Policy>>> = {
  "--keep-ids": { keepIds: true },
  "--assume-empty": { assumeEmpty: true },
  "--update": { onExisting: "update" },
  "--fail": { onExisting: "fail" },
  "--change-kind": { changeKind: true },
  "--vouched": { changeKind: true, assumeNeverSignedIn: true },
  "--include-unverified": { include: ["unverified"] },
  "--passwordless": { onUnusableHash: "passwordless" },
  "--carry-nothing": { carry: [] },
};

/** Said of every small export, and none of a history's matters. */
const ALWAYS = ["prehash_possible", "no_hash_column", "hash_shared", "way_in_not_verified"];
/** Those whose hint says what stands in the way, which is written down. */
const HINTED = ["plan_kind_changed"];

interface Step {
  readonly verb: string;
  readonly flags: readonly string[];
  readonly trouble: string | null;
  readonly rows: readonly Row[];
  readonly words: readonly string[];
}

function stepOf(line: string): Step {
  const [, head = "", rows = ""] = /^((?:[^:(]|\(.*\))*)(?:: (.*))?$/.exec(line) ?? [];
  const [trouble = null] = /\((.*)\)/.exec(head)?.slice(1) ?? [];
  const words = head
    .replace(/\(.*\)/, "")
    .trim()
    .split(/ +/);
  const flags = words.filter((word) => word.startsWith("--"));
  const [verb = "", ...others] = words.filter((word) => !word.startsWith("--"));
  return { verb, flags, trouble, words: others, rows: rows === "" ? [] : rowsOf(rows) };
}

function rowsOf(text: string): Row[] {
  return text.split(", ").flatMap((row): Row[] => {
    const [, from, to] = /^readers (\d+)-(\d+)$/.exec(row) ?? [];
    if (from === undefined) return [rowOf(row)];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => {
      const number = Number(from) + index;
      return rowOf(`r-${number} reader.${number}@example.com${number % 2 === 0 ? " OLD" : ""}`);
    });
  });
}

function rowOf(text: string): Row {
  const [id = "", ...words] = text.split(" ");
  const [, letter = "", times] = /^(.)\*(\d+)$/.exec(id) ?? [];
  const row: Record<string, string> = {
    id: times === undefined ? id.replace(/^-$/, "") : letter.repeat(Number(times)),
  };
  for (const word of words) {
    if (word.startsWith("+")) row.phone = phoneOf(word);
    else if (word === "cut") row.hash = HASHES.get("OLD")?.slice(0, -1) ?? "";
    else if (HASHES.has(word)) row.hash = HASHES.get(word) ?? "";
    else if (word === "disabled") row.disabled = "true";
    else if (word === "verified" || word === "unverified")
      row.emailVerified = `${word === "verified"}`;
    else row.email = emailOf(word);
  }
  return row;
}

function emailOf(name: string): string {
  if (/[@!]/.test(name)) return name;
  return name.endsWith(".org") ? name.replace(".org", "@example.org") : `${name}@example.com`;
}

const phoneOf = (word: string): string => `+155501000${word.slice(1)}`;

/** What happens to a core's calls of some names. */
function troubled(core: Core, trouble: string, stop: AbortController): Core {
  const [names = "", ...how] = trouble.split(" ");
  const lost = new Set<string>();
  const around = async (make: () => Promise<unknown>, request: unknown): Promise<unknown> => {
    const [what = "", when] = how;
    if (what === "stops") stop.abort();
    if (what === "finds" && when === "nobody") return null;
    if (what === "says") return { status: when };
    if (what === "broken" || what === "refused" || what === "not_offered")
      throw new CoreFailure(what satisfies CoreFailureKind, "not today", { reached: "yes" });
    if (what === "dies" && when === "before") throw new Error("killed");
    const answer = await make();
    if (what === "shows") {
      const shown = { ...Object(answer), ...JSON.parse(when ?? "{}") };
      return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== "-"));
    }
    const isFirst = !lost.has(JSON.stringify(request));
    lost.add(JSON.stringify(request));
    if (what === "dies") throw new Error("killed");
    if (what === "fails") throw new CoreFailure("broken", "HTTP 500", { reached: "yes" });
    if (what === "lost" && isFirst)
      throw new CoreFailure("unreachable", "connection lost", { reached: "unknown" });
    return answer;
  };
  const calls = names.split(",").map((name) => {
    const call = core[name as "importUser"] as (request: unknown) => Promise<unknown>;
    return [name, (request: unknown) => around(() => call(request), request)];
  });
  return { ...core, ...Object.fromEntries(calls) };
}

/** A history's text with what became of it. */
export async function played(migration: Migration, text: string): Promise<string> {
  const lines: string[] = [];
  let exports = 0;
  for (const line of text.split("\n").filter((each) => !each.startsWith("  "))) {
    lines.push(line);
    const { verb, flags, trouble, rows, words } = stepOf(line);
    const { core, checkpoint } = migration;
    if (verb === "given" || verb === "import") {
      exports += 1;
      const file = migration.write(`export-${exports}.csv`, csvOf(rows));
      const stop = new AbortController();
      const value = (name: string) =>
        flags.find((flag) => flag.startsWith(`${name}=`))?.split("=")[1];
      const at = flags.includes("--elsewhere") ? { ...core, target: ELSEWHERE } : core;
      const run = migration.run([file], {
        timing: virtualTiming(),
        signal: stop.signal,
        core: trouble === null ? at : troubled(at, trouble, stop),
        policy: Object.assign({}, ...flags.map((flag) => POLICIES[flag] ?? {})),
        namespace: value("--namespace") ?? "",
        ...(flags.includes("--fresh") && { checkpoint: `${checkpoint}.fresh` }),
        ...(flags.includes("--one") && { concurrency: 1 }),
        ...(value("--limit") !== undefined && { limit: Number(value("--limit")) }),
      });
      const ended = await run.then(
        (done) => summaryOf(done),
        ({ code, message }) => (message === "killed" ? "killed" : `stopped: ${code}`),
      );
      if (verb === "import") lines.push(`  ${ended} = ${await everybody(migration)}`);
    } else await happens(migration, verb, words);
  }
  return lines.join("\n");
}

/** What somebody else does at the core, or the operator says. */
async function happens({ core, checkpoint }: Migration, verb: string, words: readonly string[]) {
  const [who = "", what = ""] = words;
  const contact = who.startsWith("+") ? { phoneNumber: phoneOf(who) } : { email: emailOf(who) };
  const [{ userId } = { userId: "" }] = words.length > 0 ? await core.findUsers(contact) : [];
  if (verb === "cutover") recordCutover(checkpoint, { revoke: who === "revoked" });
  else if (verb === "password")
    await core.importUser({ email: emailOf(who), passwordHash: HASHES.get(what) ?? "" });
  else if (verb === "code") await core.consumeCode(await core.createCode(contact));
  else if (verb === "removed") await core.removeUser(userId);
  else if (verb === "id") await core.mapUserId({ userId, externalUserId: what });
  else if (verb === "contact")
    await core.updateUser({
      ...{
        userId,
        ...(what[0] === "+" ? { phoneNumber: phoneOf(what) } : { email: emailOf(what) }),
      },
    });
  else throw new Error(`no step ${verb}`);
}

function counts(all: Readonly<Record<string, number>>, prefix = ""): string {
  const some = Object.entries(all).filter(([name, count]) => count > 0 && !ALWAYS.includes(name));
  return some.map(([name, count]) => `${prefix}${name} ${count}`).join(", ");
}

/** How a run ended: outcomes, what it told of rows, its notices, ids, calls, and its findings. */
function summaryOf({ summary, events, findings }: Run): string {
  const rows = events.map((event) => {
    return HINTED.includes(event.code) ? `${told(event)}, "${event.hint}"` : told(event);
  });
  const found = findings.filter(({ code }) => !ALWAYS.includes(code));
  return [
    counts(outcomes(summary)),
    rows.sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10)).join("; "),
    counts(summary.notices),
    summary.mapped === 0 ? "" : `${summary.mapped} mapped`,
    counts(summary.calls).replace(/^(?=.)/, "calls: "),
    found
      .map(
        ({ code, count, rows }) =>
          `found ${code} ${count} (${rows.map(({ number }) => number).sort((a, b) => a - b)})`,
      )
      .join("; "),
  ]
    .filter((part) => part !== "")
    .join(" | ");
}

/** Everybody at the core: contacts, the password that lets them in, and the id that isn't the core's own. */
async function everybody({ core, users }: Migration): Promise<string> {
  const all = await users();
  if (all.length > 8) return `${all.length} users`;
  const shown = await Promise.all(all.map((user) => shownOf(core, user)));
  return shown.length === 0 ? "nobody" : shown.sort().join("; ");
}

async function shownOf(core: Core, { userId, email = "", phoneNumber, recipe }: CoreUser) {
  const words = [email.replace("@example.com", "").replace("@example.org", ".org")];
  if (phoneNumber !== undefined) words.push(phoneNumber.replace("+155501000", "+"));
  for (const password of recipe === "emailpassword" ? HASHES.keys() : []) {
    if ((await core.signIn({ email, password })).status === "OK") words.push(password);
  }
  if (!/^[0-9a-f-]{36}$/.test(userId)) words.push(`(${userId.slice(0, 12)})`);
  return words.filter((word) => word !== "").join(" ");
}
