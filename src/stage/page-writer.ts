/** Pages: some hundreds of rows as one text, written by hand, since what a serializer makes of so many objects takes a multiple of the time (8 µs a row in place of 2). */

import type { AccountPlan } from "../plan/account-plan.js";
import type { PlannedUser } from "../plan/action.js";
import type { UserKeys } from "../plan/entry.js";
import { NO_PARTS, type PartKeys, SENT_PARTS } from "../plan/parts.js";
import { isRefusal, type Plan, type SentPlan } from "../plan/plan.js";
import type { RawForm, RawRow } from "../source/raw/raw-row.js";
import { RowShapes } from "./row-shapes.js";
import type { StagedRow } from "./staged-row.js";
import { writeWaiting } from "./waiting.js";

/** Ends each text of a row; a row that has it in a text is written as JSON. */
export const END = "\0";
/** How many texts a row has: shape, place, vendor's id, id to be kept, first, second and third text of the plan, account, parts, JSON, raw. */
export const TEXTS = 11;
export const NO_SHAPE = "-";
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
  #last = NOWHERE;
  rows = 0;
  /** Whether a row waits among them. */
  waits = false;
  /** Numbers of the first row and the last. */
  first = 0;
  last = 0;
  /** As {@link NOWHERE} has it, of all rows; undefined where they don't follow each other, or stood elsewhere before. */
  shift: number | null | undefined = null;

  constructor(form: PageForm) {
    this.#form = form;
  }

  add(row: StagedRow): void {
    const { user, raw } = row;
    const texts = this.#texts;
    const own = row.kind !== "record" || user === null ? -1 : this.#form.shapes.of(user);
    const isShort = own !== -1 && user !== null && !isOdd(user, this.#form.kept);
    const place = this.#placeOf(row);
    const isNext = place === "";
    texts.push(isShort ? String(own) : NO_SHAPE, place);
    if (isShort) this.#addUser(user);
    else texts.push("", "", "", "", "", "", "", this.#json(row));
    texts.push(raw === undefined ? "" : this.#rawText(raw()));
    if (this.rows === 0) {
      this.first = row.number;
      this.shift = row.origin === undefined ? this.#last.shift : undefined;
    } else if (!isNext) this.shift = undefined;
    this.last = row.number;
    this.rows += 1;
  }

  #json({ raw: _raw, waiting, user, ...row }: StagedRow): string {
    // Its facts stand elsewhere.
    const bare = user && { plan: user.plan, keys: user.keys };
    if (waiting === undefined) return JSON.stringify({ ...row, user: bare });
    this.waits = true;
    return JSON.stringify({ ...row, user: null, waiting: writeWaiting(waiting) });
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

  #addUser({ plan, keys }: PlannedUser): void {
    this.#keys += keys.identity;
    for (const { key } of keys.contacts) this.#keys += key;
    for (const { key } of keys.reserved) this.#keys += key;
    this.#texts.push(keys.sourceId ?? "");
    const isAll = this.#form.kept === "all";
    if (isAll) this.#keys += keys.plan;
    if (isAll && !isRefusal(plan)) this.#addPlan(plan, keys);
    else this.#texts.push("", "", "", "", "", "", "");
  }

  #addPlan(plan: SentPlan, keys: UserKeys): void {
    const { keepId, account } = plan;
    this.#texts.push(keepId === null || keepId === keys.sourceId ? "" : keepId);
    switch (plan.kind) {
      case "import":
        this.#texts.push(plan.email, plan.passwordHash, "");
        break;
      case "passwordless":
        this.#texts.push(plan.email ?? "", plan.phone ?? "", "");
        break;
      case "thirdparty":
        this.#texts.push(plan.email, plan.identity.thirdPartyId, plan.identity.thirdPartyUserId);
    }
    this.#texts.push(accountText(account), partsText(keys.parts), "");
  }

  /** Empty of the row after the last one, as most are. */
  #placeOf({ number, line, origin }: StagedRow): string {
    const last = this.#last;
    const isNext = number === last.number + 1 && origin === undefined;
    const shift = line === undefined ? null : line - number;
    this.#last = { number, shift };
    if (isNext && shift === last.shift) return "";
    return JSON.stringify(origin === undefined ? [number, shift] : [number, shift, origin]);
  }

  #rawText({ form, text, state, source, marked }: RawRow): string {
    return JSON.stringify([this.#form.indexOf(form), text, state, source, marked]);
  }
}

/** A row before the first one of a page. */
export const NOWHERE: { readonly number: number; readonly shift: number | null } = {
  number: Number.NaN,
  shift: null,
};

function accountText(account: AccountPlan | null): string {
  if (account === null || (account.joined === null && account.metadata === null)) return "";
  const { joined, metadata } = account;
  return `${joined ?? ""} ${metadata === null ? "" : JSON.stringify(metadata)}`;
}

function partsText(parts: PartKeys): string {
  if (parts === NO_PARTS) return "";
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
  return isOddText(keys.sourceId) || (kept === "all" && textsOf(plan).some(isOddText));
}

function isOddText(text: string | null): boolean {
  return text !== null && ODD.test(text);
}

function textsOf(plan: Plan): readonly (string | null)[] {
  switch (plan.kind) {
    case "import":
      return [plan.keepId, plan.email, plan.passwordHash];
    case "passwordless":
      return [plan.keepId, plan.email, plan.phone];
    case "thirdparty":
      return [plan.keepId, plan.email, plan.identity.thirdPartyId, plan.identity.thirdPartyUserId];
    default:
      return [];
  }
}
