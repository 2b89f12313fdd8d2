/** Pages: some hundreds of rows as one text, written by hand, since what a serializer makes of so many objects takes a multiple of the time. */

import type { AccountPlan } from "../plan/account-plan.js";
import type { PlannedUser } from "../plan/action.js";
import type { UserKeys } from "../plan/entry.js";
import { NO_PARTS, type PartKeys, SENT_PARTS } from "../plan/parts.js";
import { isRefusal, type Plan, type SentPlan } from "../plan/plan.js";
import type { RawForm } from "../source/raw/raw-row.js";
import { RowShapes } from "./row-shapes.js";
import type { StagedRow } from "./staged-row.js";
import { isWaiting, type Waiting, writeWaiting } from "./waiting.js";

/** Ends each text of a row; a row that has it in a text is written as JSON. */
export const END = "\0";
/** Of a row that is written as JSON, in one text. */
export const NO_SHAPE = "-";
/**
 * Parts the pieces of a row's first text: its shape, its place, and whether its last text is the row as
 * it stood in the input. Most rows have their shape alone.
 */
export const APART = "\n";
/** The end of a text, and half a character, which UTF-8 doesn't have. */
const ODD = /[\0\p{Cs}]/u;

/** What is kept of a row: all that an import sends, or what a dry run counts. */
export type Kept = "all" | "counted";

/** What the pages of one stage share, beside the key that seals them. */
export class PageForm {
  readonly kept: Kept;
  readonly shapes = new RowShapes();
  readonly #forms: RawForm[] = [];

  constructor(kept: Kept) {
    this.kept = kept;
  }

  /** Forms can't be written, and there are hardly more than inputs. */
  indexOf(form: RawForm): number {
    const known = this.#forms.indexOf(form);
    return known === -1 ? this.#forms.push(form) - 1 : known;
  }

  formAt(index: number): RawForm {
    const form = this.#forms[index];
    if (form === undefined) throw new RangeError(`No row has had the form ${index}.`);
    return form;
  }
}

/** Takes rows of one input, and keeps none of their objects. */
export class PageWriter {
  readonly #form: PageForm;
  #texts: string[] = [];
  #keys = "";
  /** Number of the row before, and by how much its line was more. */
  #last = NOWHERE;
  #shift: number | null = null;
  rows = 0;
  /** Whether a row waits among them. */
  waits = false;
  first = 0;
  last = 0;
  /** By how much each row's line is more than its number, null without lines; undefined where the rows don't follow each other, or stood elsewhere before. */
  shift: number | null | undefined = null;

  constructor(form: PageForm) {
    this.#form = form;
  }

  /** @param user of the row, or what it waits with */
  add(
    row: Omit<StagedRow, "user" | "waiting" | "among">,
    user: PlannedUser | Waiting | null,
  ): void {
    const { raw } = row;
    const texts = this.#texts;
    const isPlanned = row.kind === "record" && user !== null && !isWaiting(user);
    const shape = isPlanned && !isOdd(user, this.#form.kept) ? this.#form.shapes.of(user) : -1;
    const place = this.#placeOf(row);
    const own = shape === -1 ? NO_SHAPE : String(shape);
    texts.push(
      place === "" && raw === undefined
        ? own
        : `${own}${APART}${place}${APART}${raw === undefined ? "" : "raw"}`,
    );
    if (shape !== -1 && isPlanned) this.#addUser(user);
    else texts.push(this.#json(row, user));
    if (raw !== undefined) {
      const { form, text, state, source, marked } = raw();
      texts.push(JSON.stringify([this.#form.indexOf(form), text, state, source, marked]));
    }
    if (this.rows === 0) {
      this.first = row.number;
      this.shift = row.origin === undefined ? this.#shift : undefined;
    } else if (place !== "") this.shift = undefined;
    this.last = row.number;
    this.rows += 1;
  }

  #json({ raw: _raw, ...row }: Pick<StagedRow, "raw">, user: PlannedUser | Waiting | null): string {
    if (user === null || !isWaiting(user)) {
      // Its facts stand elsewhere.
      return JSON.stringify({ ...row, user: user && { plan: user.plan, keys: user.keys } });
    }
    this.waits = true;
    return JSON.stringify({ ...row, user: null, waiting: writeWaiting(user) });
  }

  /** The page: the keys' length, the keys, the texts. */
  end(): Buffer {
    const texts = Buffer.from(this.#texts.join(END));
    const page = Buffer.allocUnsafe(4 + this.#keys.length + texts.length);
    page.writeUInt32LE(this.#keys.length);
    page.write(this.#keys, 4, "latin1");
    texts.copy(page, 4 + this.#keys.length);
    return page;
  }

  /** Only the texts that rows of its shape have, as the reader expects them. */
  #addUser({ plan, keys }: PlannedUser): void {
    this.#keys += keys.identity;
    for (const { key } of keys.contacts) this.#keys += key;
    for (const { key } of keys.reserved) this.#keys += key;
    const isWhole = this.#form.kept === "all";
    if (keys.sourceId !== null) this.#texts.push(keys.sourceId);
    if (isWhole) this.#keys += keys.plan;
    if (isRefusal(plan)) return;
    if (isWhole) this.#addWayIn(plan, keys);
    // By these, rows of one user are told apart in a dry run as well.
    const { account } = plan;
    if (plan.kind === "thirdparty") {
      const { thirdPartyId, thirdPartyUserId } = plan.identity;
      this.#texts.push(plan.email, thirdPartyId, thirdPartyUserId);
    }
    if (account !== null && hasTexts(account)) {
      const { joined, metadata } = account;
      this.#texts.push(`${joined ?? ""} ${metadata === null ? "" : JSON.stringify(metadata)}`);
    }
    if (isWhole && keys.parts !== NO_PARTS) this.#texts.push(partsText(keys.parts));
  }

  #addWayIn(plan: SentPlan, { sourceId }: UserKeys): void {
    const { keepId } = plan;
    const texts = this.#texts;
    if (keepId !== null && keepId !== sourceId) texts.push(keepId);
    if (plan.kind === "import") texts.push(plan.email, plan.passwordHash);
    if (plan.kind !== "passwordless") return;
    if (plan.email !== null) texts.push(plan.email);
    if (plan.phone !== null) texts.push(plan.phone);
  }

  /** Empty of the row after the last one, as most are. */
  #placeOf({ number, line, origin }: Pick<StagedRow, "number" | "line" | "origin">): string {
    const shift = line === undefined ? null : line - number;
    const isNext = number === this.#last + 1 && origin === undefined && shift === this.#shift;
    this.#last = number;
    this.#shift = shift;
    if (isNext) return "";
    return JSON.stringify(origin === undefined ? [number, shift] : [number, shift, origin]);
  }
}

/** Number of a row before the first one of a page. */
export const NOWHERE = Number.NaN;

/** Whether an account has texts of its own. */
export function hasTexts({ joined, metadata }: AccountPlan): boolean {
  return joined !== null || metadata !== null;
}

function partsText(parts: PartKeys): string {
  let text = "";
  let end = "";
  for (const name of SENT_PARTS) {
    const part = parts[name];
    if (part === undefined) continue;
    text += end + part.digest;
    end = " ";
  }
  return text;
}

/** Whether one of a user's texts can't stand among others. */
function isOdd({ plan, keys }: PlannedUser, kept: Kept): boolean {
  const isKept = kept === "all" || plan.kind === "thirdparty";
  return isOddText(keys.sourceId) || (isKept && hasOddText(plan));
}

function hasOddText(plan: Plan): boolean {
  if (isRefusal(plan)) return false;
  if (isOddText(plan.keepId) || isOddText(plan.email)) return true;
  switch (plan.kind) {
    case "import":
      return isOddText(plan.passwordHash);
    case "passwordless":
      return isOddText(plan.phone);
    case "thirdparty":
      return isOddText(plan.identity.thirdPartyId) || isOddText(plan.identity.thirdPartyUserId);
  }
}

function isOddText(text: string | null): boolean {
  return text !== null && ODD.test(text);
}
