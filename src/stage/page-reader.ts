/** Reads the rows of a page back. */

import { rowOf } from "../errors/place.js";
import type { AccountPlan } from "../plan/account-plan.js";
import type { PlannedUser } from "../plan/action.js";
import { KEY_BYTES, type Key } from "../plan/digests.js";
import type { UserKeys } from "../plan/entry.js";
import { NO_PARTS, type PartKeys, SENT_PARTS } from "../plan/parts.js";
import { isRefusal, type SentPlan, type ThirdPartyPlan } from "../plan/plan.js";
import type { RawRow } from "../source/raw/raw-row.js";
import type { RowShape } from "./row-shapes.js";
import { APART, END, hasTexts, NO_SHAPE, NOWHERE, type PageForm } from "./page-writer.js";
import type { StagedRow } from "./staged-row.js";
import { readWaiting, type WrittenWaiting } from "./waiting.js";

/** The line at which a row stands, from its number. */
export function lineOf(number: number, shift: number | null): number | undefined {
  return shift === null ? undefined : number + shift;
}

export class PageReader {
  readonly #file: string;
  readonly #form: PageForm;
  readonly #texts: readonly string[];
  readonly #keys: string;
  readonly #isCounted: boolean;
  #at = 0;
  #key = 0;

  /** @param isCounted rows are only counted: an account like their own will do */
  constructor(page: Buffer, file: string, form: PageForm, isCounted: boolean) {
    this.#isCounted = isCounted;
    const keys = 4 + page.readUInt32LE();
    this.#keys = page.toString("latin1", 4, keys);
    this.#texts = page.toString("utf8", keys).split(END);
    this.#file = file;
    this.#form = form;
  }

  /** The page's rows, in their order; read once. */
  rows(): StagedRow[] {
    const rows: StagedRow[] = [];
    let number = NOWHERE;
    let shift: number | null = null;
    while (this.#at < this.#texts.length) {
      const [shape = "", place = "", isFollowed = ""] = this.#text().split(APART);
      let origin: string | undefined;
      number += 1;
      if (place !== "") [number, shift, origin] = JSON.parse(place);
      const at = { number, line: lineOf(number, shift), origin };
      const row = shape === NO_SHAPE ? this.#json() : this.#row(at, Number(shape));
      const raw = isFollowed === "" ? null : this.#text();
      rows.push(raw === null ? row : { ...row, raw: () => this.#raw(raw) });
    }
    return rows;
  }

  #row(at: Pick<StagedRow, "number" | "line" | "origin">, index: number): StagedRow {
    const { number, line, origin } = at;
    const user = this.#user(rowOf(this.#file, at), this.#form.shapes.at(index));
    return { kind: "record", number, line, origin, code: "", hint: "", user };
  }

  #json(): StagedRow {
    const { waiting, ...row }: StagedRow & { readonly waiting?: WrittenWaiting } = JSON.parse(
      this.#text(),
    );
    if (waiting !== undefined) return { ...row, waiting: readWaiting(waiting) };
    if (row.user === null) return row;
    const { plan, keys } = row.user;
    const isBare = Object.keys(keys.parts).length === 0;
    const parts = isBare ? NO_PARTS : keys.parts;
    return { ...row, user: { plan, keys: { ...keys, parts, row: rowOf(this.#file, row) } } };
  }

  #user(row: UserKeys["row"], shape: RowShape): PlannedUser {
    const { keyed, kind, sourceId } = shape.keys;
    const identity = this.#nextKey();
    const contacts = shape.keys.contacts.map((contact) => ({ ...contact, key: this.#nextKey() }));
    const reserved = shape.keys.reserved.map((contact) => ({ ...contact, key: this.#nextKey() }));
    const keys = {
      row,
      identity,
      keyed,
      kind,
      contacts,
      reserved,
      plan: shape.keys.plan,
      parts: shape.keys.parts,
      sourceId: sourceId === null ? null : this.#text(),
    };
    const isWhole = this.#form.kept === "all";
    if (isWhole) keys.plan = this.#nextKey();
    if (isRefusal(shape.plan)) return { plan: shape.plan, keys };
    if (!isWhole) return { plan: this.#counted(shape.plan), keys };
    const plan = this.#plan(shape.plan, shape.keys, keys.sourceId);
    keys.parts = this.#parts(shape.keys.parts);
    return { plan, keys };
  }

  #counted(like: SentPlan): SentPlan {
    if (like.kind === "thirdparty") return this.#social(like, like.keepId);
    const account = this.#account(like.account);
    return account === like.account ? like : { ...like, account };
  }

  #social(like: ThirdPartyPlan, keepId: string | null): ThirdPartyPlan {
    const email = this.#text();
    const identity = { thirdPartyId: this.#text(), thirdPartyUserId: this.#text() };
    return { ...like, identity, email, keepId, account: this.#account(like.account) };
  }

  #plan(like: SentPlan, likeKeys: UserKeys, sourceId: string | null): SentPlan {
    const isOwn = like.keepId === likeKeys.sourceId;
    const keepId = like.keepId === null ? null : isOwn ? sourceId : this.#text();
    switch (like.kind) {
      case "import": {
        const email = this.#text();
        const passwordHash = this.#text();
        return { ...like, email, passwordHash, keepId, account: this.#account(like.account) };
      }
      case "passwordless": {
        const email = like.email === null ? null : this.#text();
        const phone = like.phone === null ? null : this.#text();
        return { ...like, email, phone, keepId, account: this.#account(like.account) };
      }
      case "thirdparty":
        return this.#social(like, keepId);
    }
  }

  #account(like: AccountPlan | null): AccountPlan | null {
    if (like === null || !hasTexts(like)) return like;
    const text = this.#text();
    if (this.#isCounted) return like;
    const end = text.indexOf(" ");
    return {
      verified: like.verified,
      joined: like.joined === null ? null : Number(text.slice(0, end)),
      metadata: like.metadata === null ? null : JSON.parse(text.slice(end + 1)),
      roles: like.roles,
      totp: like.totp,
    };
  }

  #parts(like: PartKeys): PartKeys {
    if (like === NO_PARTS) return NO_PARTS;
    const digests = this.#text().split(" ");
    const parts: { -readonly [Part in keyof PartKeys]: PartKeys[Part] } = {};
    let at = 0;
    for (const name of SENT_PARTS) {
      const names = like[name]?.names;
      if (names !== undefined) parts[name] = { digest: digests[at++] ?? "", names };
    }
    return parts;
  }

  #raw(text: string): RawRow {
    const [form, ...rest] = JSON.parse(text);
    const [row, state, source, marked] = rest;
    return { form: this.#form.formAt(form), text: row, state, source, marked };
  }

  #text(): string {
    return this.#texts[this.#at++] ?? "";
  }

  #nextKey(): Key {
    const at = this.#key;
    this.#key = at + KEY_BYTES;
    return this.#keys.slice(at, this.#key);
  }
}
