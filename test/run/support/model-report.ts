/** What a report is to say after any history of runs, in a few lines: users by where they stand, and the rows beside. Every row has an id of the vendor's, but for those that can't be read. */

import type { Standing } from "../../../src/report/results.js";
import type { Policy } from "../../../src/plan/policy.js";

/** What a row of an export is. */
export type Kind =
  | "good"
  | "new hash"
  | "damaged"
  | "foreign hash"
  | "no hash"
  | "disabled"
  | "no contact"
  | "moved"
  | "another's contact"
  | "unreadable";

export interface ModelRow {
  /** The vendor's number of the user. */
  readonly user: number;
  readonly kind: Kind;
  /** A phone beside the email has no place beside a password. */
  readonly withPhone: boolean;
}

export interface ModelRun {
  /** A file's name stands for its rows: it is never another file. */
  readonly file: number;
  readonly rows: readonly ModelRow[];
  /** `--on-unusable-hash`. */
  readonly unusable: Policy["onUnusableHash"];
  /** `--include disabled`. */
  readonly includes: boolean;
}

/** The email and what is sent of a row that can be sent. */
interface Sent {
  readonly way: "imported" | "created";
  readonly email: string;
  readonly hash: string;
  readonly notices: readonly string[];
  /** Let in by the option, although the vendor keeps them out. */
  readonly letIn: boolean;
}

interface Known {
  state: "imported" | "created" | "skipped" | "rejected";
  code: string | null;
  sent: Sent | null;
  /** Emails that others don't get: before the end of a run also the one that was left in it. */
  held: string[];
  replaced: string[];
  /** By the latest row, and by calls. */
  row: string[];
  calls: string[];
  at: string;
  letIn: boolean;
  /** Why they still have access, although their row would leave them out. */
  without: "disabled" | "since" | null;
}

interface Beside {
  readonly ending: string;
  readonly user: number | null;
  /** Whether the user's entry stands at this row. */
  readonly isOwn: boolean;
}

export type Counts = Record<string, number>;

export class ModelReport {
  readonly users = new Map<number, Known>();
  /** By file and row. */
  beside = new Map<string, Beside>();
  cutOver = false;
  /** @returns how many rows ended in what way, as a summary counts them, and its notices */
  run({ file, rows, unusable, includes }: ModelRun): { endings: Counts; notices: Counts } {
    const endings: Counts = {};
    const notices: Counts = {};
    const met = new Set<number>();
    for (const known of this.users.values()) known.held = known.held.slice(-1);
    for (const at of [...this.beside.keys()]) {
      if (at.startsWith(`${file}:`)) this.beside.delete(at);
    }
    const before = new Map(this.beside);
    for (const [index, row] of rows.entries()) {
      const at = `${file}:${index + 1}`;
      const told: string[] = [];
      const ending = this.#stand(row, { at, met, unusable, includes, told, before });
      add(endings, ending);
      if (ending === "imported" && told.includes("bridged")) add(endings, "bridged");
      for (const notice of new Set(told)) add(notices, notice);
    }
    return { endings, notices };
  }

  /** The users who are known once so many rows of a run are read. */
  knownAfter(run: ModelRun, read: number): Set<number> {
    const model = new ModelReport();
    model.cutOver = this.cutOver;
    for (const [user, known] of this.users) model.users.set(user, structuredClone(known));
    for (const [at, one] of this.beside) model.beside.set(at, one);
    model.run({ ...run, rows: run.rows.slice(0, read) });
    return new Set(model.users.keys());
  }

  #stand(
    row: ModelRow,
    {
      at,
      met,
      unusable,
      includes,
      told,
      before,
    }: {
      readonly at: string;
      readonly met: Set<number>;
      readonly unusable: Policy["onUnusableHash"];
      readonly includes: boolean;
      readonly told: string[];
      readonly before: ReadonlyMap<string, Beside>;
    },
  ): string {
    const { user } = row;
    const beside = (ending: string, own: Omit<Beside, "ending">): string => {
      this.beside.set(at, { ending, ...own });
      return ending;
    };
    if (row.kind === "unreadable") {
      return beside("reject row_unreadable", { user: null, isOwn: false });
    }
    if (met.has(user)) return beside("reject duplicate", { user: null, isOwn: false });
    const sent = sentOf(row, unusable, includes);
    const owner = typeof sent === "string" ? undefined : this.#ownerOf(sent.email);
    if (owner !== undefined && owner !== user) {
      return beside("reject duplicate_contact", { user, isOwn: false });
    }
    met.add(user);
    // A row of the user's own overtakes what earlier runs left beside.
    for (const [place, one] of before) if (one.user === user) this.beside.delete(place);
    const known = this.users.get(user) ?? nothingOf();
    this.users.set(user, known);
    known.at = at;
    if (typeof sent === "string") {
      if (!isThere(known)) {
        const [type = "", code = ""] = sent.split(" ");
        const state = type === "skip" ? "skipped" : "rejected";
        Object.assign(known, { state, code, held: [], row: [], calls: [] });
        return sent;
      }
      const isLeftOut = sent.startsWith("skip");
      const reason = known.letIn ? "disabled" : "since";
      known.without = isLeftOut ? reason : null;
      known.row = lasting(known.row);
      if (known.without === "since") return beside(sent, { user, isOwn: true });
      const notice = isLeftOut ? "still_there" : "finished_otherwise";
      known.row.push(notice);
      told.push(notice);
      return "unchanged";
    }
    if (!isThere(known)) {
      known.letIn = sent.letIn;
      told.push(...sent.notices);
      const state = sent.way;
      Object.assign(known, { state, code: null, sent, held: [sent.email], row: [...sent.notices] });
      return state;
    }
    return this.#change(known, sent, told, (ending) => beside(ending, { user, isOwn: true }));
  }

  #change(known: Known, sent: Sent, told: string[], beside: (ending: string) => string): string {
    const then = known.sent;
    if (then === null) throw new Error("nobody is there by nothing");
    const refused = (ending: string): string => {
      known.row = lasting(known.row);
      known.without = null;
      return beside(ending);
    };
    const isSame = then.way === sent.way && then.email === sent.email && then.hash === sent.hash;
    if (!isSame) {
      if (then.way !== sent.way) return refused("reject plan_kind_changed");
      if (sent.way === "imported" && then.email !== sent.email) {
        return refused("reject email_changed");
      }
      if (this.cutOver) return refused("skip changed_after_cutover");
      if (known.replaced.includes(sent.hash)) return refused("skip older_export");
    }
    told.push(...sent.notices);
    known.row = [...sent.notices];
    Object.assign(known, { letIn: sent.letIn, without: null });
    if (isSame) return "unchanged";
    const notice = sent.way === "imported" ? "hash_updated" : "account_updated";
    known.replaced.push(then.hash);
    known.sent = sent;
    if (!known.held.includes(sent.email)) known.held.push(sent.email);
    known.calls = [...new Set([...known.calls, notice])];
    told.push(notice);
    return sent.way;
  }

  #ownerOf(email: string): number | undefined {
    return [...this.users].find(([, { held }]) => held.includes(email))?.[0];
  }

  /** The same of the users whom a run's rows name and of these rows alone, as a dry run before it says. */
  standingOf({ file, rows }: ModelRun): Omit<Standing, "already"> {
    const named = new ModelReport();
    for (const [user, known] of this.users) {
      const isNamed = rows.some((row) => row.user === user && row.kind !== "unreadable");
      if (isNamed) named.users.set(user, known);
    }
    for (const [at, one] of this.beside) if (at.startsWith(`${file}:`)) named.beside.set(at, one);
    const { already: _, ...standing } = named.standing();
    return { ...standing, cut: null };
  }

  /** What every summary, status and report says first. */
  standing(): Omit<Standing, "cut"> {
    const all = [...this.users.values()];
    const in_ = (...states: Known["state"][]): number =>
      all.filter(({ state }) => states.includes(state)).length;
    const beside = (type: string): number =>
      [...this.beside.values()].filter(({ ending }) => ending.startsWith(type)).length;
    const stillThere: Counts = {};
    for (const { without } of all) if (without !== null) add(stillThere, without);
    return {
      users: all.length,
      there: in_("imported", "created"),
      already: null,
      ...{ skipped: in_("skipped"), rejected: in_("rejected") },
      ...{ failed: 0, written: 0, queued: 0, open: 0, unread: 0 },
      stillThere,
      beside: { skipped: beside("skip"), rejected: beside("reject"), failed: beside("failure") },
    };
  }

  /** Users by state, by code, and by what is told of them; and the rows beside that stand. */
  report(): { states: Counts; users: Counts; beside: Counts; notices: Counts } {
    const counts = { states: {}, users: {}, beside: {}, notices: {} };
    for (const { state, code, row, calls } of this.users.values()) {
      add(counts.states, state);
      if (state === "imported" && row.includes("bridged")) add(counts.states, "bridged");
      if (code !== null) add(counts.users, `${state === "skipped" ? "skip" : "reject"} ${code}`);
      for (const notice of new Set([...row, ...calls])) add(counts.notices, notice);
    }
    for (const { ending } of this.beside.values()) add(counts.beside, ending);
    return counts;
  }
}

function nothingOf(): Known {
  const nothing = { code: null, sent: null, held: [], replaced: [], row: [], calls: [], at: "" };
  return { state: "rejected", letIn: false, without: null, ...nothing };
}

function isThere({ state }: Known): boolean {
  return state === "imported" || state === "created";
}

/** What the next row leaves of what is told of a row. */
function lasting(row: readonly string[]): string[] {
  return row.filter((notice) => notice !== "finished_otherwise" && notice !== "still_there");
}

/** The rows without those that are one with their user's first row, which the rows of a join have a property of. */
export function distinct(
  rows: readonly ModelRow[],
  { unusable, includes }: Pick<ModelRun, "unusable" | "includes">,
): readonly ModelRow[] {
  const firsts = new Map<number, string>();
  return rows.filter((row) => {
    if (row.kind === "unreadable") return true;
    const sent = sentOf(row, unusable, includes);
    const said =
      typeof sent === "string"
        ? sent
        : JSON.stringify([sent.way, sent.email, sent.hash, sent.letIn]);
    const first = firsts.get(row.user);
    if (first === undefined) firsts.set(row.user, said);
    return first !== said || said.startsWith("reject");
  });
}

/** What is sent of a row, or how it ends without. */
function sentOf(
  { user, kind, withPhone }: ModelRow,
  unusable: Policy["onUnusableHash"],
  includes: boolean,
): Sent | string {
  const email = emailOf({ user, kind });
  const withPassword = (hash: string): Sent => ({
    way: "imported",
    email,
    hash,
    notices: ["prehash_possible", ...(withPhone ? ["phone_not_migrated"] : [])],
    letIn: kind === "disabled",
  });
  const byCode = (notices: readonly string[]): Sent => ({
    way: "created",
    email,
    hash: "",
    notices,
    letIn: false,
  });
  switch (kind) {
    case "disabled":
      return includes ? withPassword("first") : "skip disabled";
    case "no contact":
      return "reject no_contact";
    case "damaged":
      return unusable === "passwordless"
        ? byCode(["password_not_migrated"])
        : "reject bcrypt_length";
    case "foreign hash":
      if (unusable === "bridge") return { ...withPassword("foreign"), notices: ["bridged"] };
      return unusable === "reject" ? "reject pbkdf2" : byCode(["password_not_migrated"]);
    case "no hash":
      return byCode([]);
    case "new hash":
      return withPassword("second");
    default:
      return withPassword("first");
  }
}

/** The email that a row has. */
export function emailOf({ user, kind }: Pick<ModelRow, "user" | "kind">): string {
  if (kind === "moved") return `reader.${user}@example.org`;
  return `reader.${kind === "another's contact" ? (user % 3) + 1 : user}@example.com`;
}

function add(counts: Counts, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
