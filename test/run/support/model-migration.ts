/** What any sequence of exports comes to, in plain lists: an oracle that shares no code with the ledger, the plan or the delta. It knows no crash and no time. */

import type { UserRecord } from "../../../src/account/user-record.js";

/** Somebody at the model's core. */
export interface ModelUser {
  readonly recipe: "emailpassword" | "passwordless";
  email: string | null;
  phone: string | null;
  hash: string | null;
}

/** How a row ended, as tests tell it: `imported`, `reject duplicate`, … */
export type Ending = string;

/** The rows of an export, what is planned for each, and which gets a contact that several claim. */
interface Claims {
  readonly records: readonly UserRecord[];
  readonly plans: readonly (Plan | string)[];
  readonly winners: ReadonlyMap<string, Claim>;
}

interface Plan {
  readonly kind: "import" | "passwordless";
  readonly contacts: readonly string[];
  readonly hash: string | null;
}

interface Entry {
  id: string | null;
  /** The contact that stands for the id of whoever has none. */
  anchor: string | null;
  state: "open" | "brought" | "existed";
  plan: Plan | null;
  held: string[];
  left: string[];
  user: ModelUser | null;
  readonly replaced: Set<string | null>;
}

export class ModelMigration {
  readonly users: ModelUser[];
  readonly #entries: Entry[] = [];
  #changesKind = false;
  /** Of each contact that is reserved in this run, whether the first such row has an id. */
  #reserved = new Map<string, boolean>();
  /** The contacts that stood in this run for whoever has an id by an earlier one. */
  #stoodFor = new Set<string>();
  /** Whether some contact changed hands in the last run. */
  movedContacts = false;
  /** Whether an update met somebody whom no export knows: that story is told elsewhere. */
  conflicts = false;

  /** @param strangers who is at the core before */
  constructor(strangers: readonly ModelUser[]) {
    this.users = strangers.map((user) => ({ ...user }));
  }

  /**
   * Imports one export to its end.
   *
   * @param changesKind who was brought without a password gets the one that has come; nobody signs in
   * @param includesUnverified an unverified contact may become a way in
   */
  run(
    records: readonly UserRecord[],
    usable: (hash: string) => boolean,
    changesKind = false,
    includesUnverified = false,
  ): Ending[] {
    this.#changesKind = changesKind;
    for (const entry of this.#entries) entry.left = [];
    this.movedContacts = false;
    this.#reserved = new Map();
    this.#stoodFor = new Set();
    const seen = new Set<Entry>();
    const plans = records.map((record) => planOf(record, usable, includesUnverified));
    const winners = winnersOf(records, plans);
    return records.map((record, at) => {
      if (joinsAnother({ records, plans }, usable, at)) return "skip same_user";
      const yielded = yieldedBy(record, plans[at] ?? "", { records, plans });
      if (yielded !== null) return yielded;
      const better = this.#betterRow({ records, plans, winners }, at);
      if (better === null) return this.#meet(record, plans[at] ?? "", seen);
      const isOther = record.sourceId !== null && better.sourceId !== null;
      const ending = isOther ? "reject duplicate_contact" : "reject duplicate";
      return record.sourceId === null ? ending : this.#meet(record, ending, seen);
    });
  }

  /** The row with a better right to a contact of this one, which then claims none; null where it keeps all. */
  #betterRow({ records, plans, winners }: Claims, at: number): UserRecord | null {
    const id = records[at]?.sourceId ?? null;
    const record = records[at];
    const plan = plans[at];
    const own = id === null ? undefined : this.#entries.find((entry) => entry.id === id);
    for (const contact of typeof plan === "object" ? plan.contacts : []) {
      const winner = winners.get(contact);
      if (record === undefined || winner === undefined) continue;
      const other = records[winner.at];
      if (other === undefined || rankOf(record, contact) <= winner.rank) continue;
      if (id !== null && other.sourceId === id) continue;
      if (!keeps(own, contact)) return other;
    }
    return null;
  }

  #meet(record: UserRecord, plan: Plan | string, seen: Set<Entry>): Ending {
    const ending = this.#stand(record, plan, seen);
    const isMet = typeof plan === "string" && !ending.startsWith("reject duplicate");
    for (const contact of isMet ? reservedBy(record, plan) : []) {
      if (this.#reserved.has(contact)) continue;
      this.#reserved.set(contact, record.sourceId !== null);
    }
    return ending;
  }

  #stand(record: UserRecord, plan: Plan | string, seen: Set<Entry>): Ending {
    const { sourceId: id } = record;
    const anchor = contactsOf(record)[0] ?? null;
    let match = this.#entries.find((entry) =>
      id === null ? anchor !== null && entry.anchor === anchor : entry.id === id,
    );
    const stood = id === null && anchor !== null && this.#stoodFor.has(anchor);
    if (stood || (match !== undefined && seen.has(match))) return "reject duplicate";
    const contacts = typeof plan === "string" ? [] : plan.contacts;
    for (const contact of contacts) {
      const owner = this.#ownerOf(contact);
      if (owner !== undefined && seen.has(owner) && owner !== match) {
        return owner.id !== null && id !== null ? "reject duplicate_contact" : "reject duplicate";
      }
      const reserver = this.#reserved.get(contact);
      if (reserver === undefined || rankOf(record, contact) === 0) continue;
      if (id !== null && match?.id === id && keeps(match, contact)) continue;
      return reserver && id !== null ? "reject duplicate_contact" : "reject duplicate";
    }
    for (const contact of contacts) {
      const owner = this.#ownerOf(contact);
      if (owner === undefined || owner === match) continue;
      if ((owner.id !== null && id !== null) || match !== undefined)
        return "reject duplicate_contact";
      match = owner;
    }
    if (match === undefined && id === null && anchor !== null) {
      const owner = this.#ownerOf(anchor);
      if (owner !== undefined && !seen.has(owner)) match = owner;
    }
    const entry = match ?? this.#newEntry(id, anchor);
    seen.add(entry);
    if (id === null && anchor !== null && entry.id !== null) this.#stoodFor.add(anchor);
    if (entry.id === null && id !== null) Object.assign(entry, { id, anchor: null });
    if (typeof plan === "string") {
      if (entry.state === "open") Object.assign(entry, { plan: null, held: [] });
      // A row that could never be sent says nothing of a user who is at the core.
      const isTold = entry.state === "open" || !/^reject (?!duplicate)/.test(plan);
      return isTold ? plan : "unchanged";
    }
    return entry.state === "open" ? this.#bring(entry, plan) : this.#change(entry, plan);
  }

  #ownerOf(contact: string): Entry | undefined {
    return this.#entries.find(({ held, left }) => [...held, ...left].includes(contact));
  }

  #newEntry(id: string | null, anchor: string | null): Entry {
    const nothing = { plan: null, held: [], left: [], user: null };
    const entry: Entry = {
      ...nothing,
      id,
      anchor: id === null ? anchor : null,
      state: "open",
      replaced: new Set(),
    };
    this.#entries.push(entry);
    return entry;
  }

  #bring(entry: Entry, plan: Plan): Ending {
    const user = userOf(plan);
    const isThere = this.users.some((other) => shareContact(user, other));
    Object.assign(entry, { plan, held: [...plan.contacts], user });
    entry.state = isThere ? "existed" : "brought";
    if (isThere) return "existed";
    this.users.push(user);
    return plan.kind === "import" ? "imported" : "created";
  }

  #change(entry: Entry, plan: Plan): Ending {
    const before = entry.plan;
    if (
      JSON.stringify([...plan.contacts].sort()) ===
      JSON.stringify([...(before?.contacts ?? [])].sort())
    ) {
      if (before?.kind === plan.kind && before.hash === plan.hash) return "unchanged";
    }
    if (before?.kind !== plan.kind) return this.#changeKind(entry, plan);
    if (plan.kind === "import" && !entry.held.includes(plan.contacts[0] ?? "")) {
      return "reject email_changed";
    }
    if (entry.state === "existed" || entry.user === null) return "existed";
    if (plan.kind === "passwordless") return this.#move(entry, entry.user, plan);
    if (entry.replaced.has(plan.hash)) return "skip older_export";
    entry.replaced.add(entry.user.hash);
    entry.user.hash = plan.hash;
    entry.plan = plan;
    return "imported hash_updated";
  }

  #changeKind(entry: Entry, plan: Plan): Ending {
    const { state, user } = entry;
    const mayChange = this.#changesKind && state === "brought" && plan.kind === "import";
    if (!mayChange || user === null) return "reject plan_kind_changed";
    const wanted = userOf(plan);
    if (this.users.some((other) => shareContact(wanted, other))) {
      this.conflicts = true;
      return "reject plan_kind_changed";
    }
    this.users.splice(this.users.indexOf(user), 1, wanted);
    entry.left = entry.held.filter((contact) => !plan.contacts.includes(contact));
    this.movedContacts ||= entry.left.length > 0;
    Object.assign(entry, { plan, held: [...plan.contacts], user: wanted });
    return "imported kind_changed";
  }

  #move(entry: Entry, user: ModelUser, plan: Plan): Ending {
    const wanted = userOf(plan);
    const others = this.users.filter((other) => other !== user);
    if (others.some((other) => shareContact(wanted, other))) this.conflicts = true;
    const stays = plan.contacts.some((contact) => entry.held.includes(contact));
    const then = [...entry.held];
    if (wanted.email !== null || stays) user.email = wanted.email;
    if (wanted.phone !== null || stays) user.phone = wanted.phone;
    entry.held = contactsOfUser(user);
    entry.left = then.filter((contact) => !entry.held.includes(contact));
    entry.plan = plan;
    this.movedContacts = true;
    const isKept = entry.held.length > plan.contacts.length;
    return isKept ? "created contact_kept account_updated" : "created account_updated";
  }
}

/** Whether the first row of the same id says all that a row says. */
function joinsAnother({ records, plans }: Omit<Claims, "winners">, usable: Usable, at: number) {
  const id = records[at]?.sourceId ?? null;
  const first = records.findIndex(({ sourceId }) => sourceId === id);
  if (id === null || first === at || /^reject/.test(String(plans[at]))) return false;
  const [one, other] = [first, at].map((place) => {
    const [record, plan] = [records[place], plans[place]];
    if (record === undefined || plan === undefined) return "";
    if (typeof plan === "object") {
      const ranks = plan.contacts.map((contact) => rankOf(record, contact));
      return JSON.stringify([plan, record.email?.value, ranks]);
    }
    const hash = record.hash?.kind === "text" && usable(record.hash.text) ? record.hash.text : null;
    return JSON.stringify([plan, hash, reservedBy(record, plan)]);
  });
  return one === other;
}

type Usable = (hash: string) => boolean;

/** Whoever has a contact at the core since an earlier export keeps it. */
function keeps(own: Entry | undefined, contact: string): boolean {
  return own !== undefined && own.state !== "open" && own.held.includes(contact);
}

/** The verified contacts of a row whose user is left out; an address is free where its user was deleted. */
function reservedBy(record: UserRecord, plan: string): string[] {
  const isFree = plan.startsWith("reject duplicate") || record.exclusions.includes("deleted");
  return isFree ? [] : contactsOf(record).filter((contact) => rankOf(record, contact) === 0);
}

/** How a row without an id ends that makes room for another with the contact that stands for it; null where it doesn't. */
function yieldedBy(
  record: UserRecord,
  plan: Plan | string,
  { records, plans }: Omit<Claims, "winners">,
): Ending | null {
  const [anchor] = contactsOf(record);
  if (record.sourceId !== null || typeof plan !== "string" || anchor === undefined) return null;
  const isClaimed = plans.some(
    (other) => typeof other === "object" && other.contacts.includes(anchor),
  );
  if (plan.startsWith("skip")) {
    return reservedBy(record, plan).length === 0 && isClaimed ? plan : null;
  }
  if (plan !== "reject contact_unverified") return null;
  const stays = plans.some((other, at) => {
    const standing = records[at];
    if (!standing || standing.sourceId !== null || contactsOf(standing)[0] !== anchor) return false;
    return typeof other === "string"
      ? reservedBy(standing, other).includes(anchor)
      : other.contacts.includes(anchor) && rankOf(standing, anchor) < 2;
  });
  return stays ? "reject duplicate" : null;
}

/** How good the right of a row to a contact is, the lower the better. */
function rankOf({ email, phone }: UserRecord, contact: string): number {
  const verified = (contact.startsWith("email ") ? email : phone)?.verified;
  return [true, null, false].indexOf(verified ?? null);
}

/** A row's right to a contact. */
interface Claim {
  readonly at: number;
  readonly rank: number;
}

/** Of each contact to which one row has a better right than another that isn't left out: the first of the best ones. */
function winnersOf(
  records: readonly UserRecord[],
  plans: readonly (Plan | string)[],
): Map<string, Claim> {
  const claims = new Map<string, Claim[]>();
  for (const [at, plan] of plans.entries()) {
    const record = records[at];
    if (record === undefined) continue;
    const isLeftOut = typeof plan === "string";
    for (const contact of isLeftOut ? reservedBy(record, plan) : plan.contacts) {
      // A user who is left out yields to one with as good a right.
      const rank = isLeftOut ? 0.5 : rankOf(record, contact);
      claims.set(contact, [...(claims.get(contact) ?? []), { at, rank }]);
    }
  }
  const winners = new Map<string, Claim>();
  for (const [contact, all] of claims) {
    const [best] = [...all].sort((one, other) => one.rank - other.rank || one.at - other.at);
    const isBeaten = ({ rank }: Claim): boolean => rank > 0.5 && rank > (best?.rank ?? rank);
    if (best !== undefined && all.some(isBeaten)) winners.set(contact, best);
  }
  return winners;
}

function planOf(
  record: UserRecord,
  usable: (hash: string) => boolean,
  includesUnverified: boolean,
): Plan | string {
  const { email, phone, hash, exclusions } = record;
  if (exclusions.length > 0) return `skip ${exclusions[0]}`;
  const contacts = contactsOf(record);
  if (contacts.length === 0) return "reject no_contact";
  if (hash === null) {
    const ways = contacts.filter((one) => includesUnverified || rankOf(record, one) < 2);
    if (ways.length === 0) return "reject contact_unverified";
    const phoneFirst = email?.verified !== true && phone?.verified === true;
    return { kind: "passwordless", contacts: phoneFirst ? ways.reverse() : ways, hash: null };
  }
  const text = hash.kind === "text" ? hash.text : "";
  if (!usable(text)) return "reject bcrypt_length";
  if (email === null) return "reject hash_without_email";
  return { kind: "import", contacts: [`email ${email.value}`], hash: text };
}

function contactsOf({ email, phone }: UserRecord): string[] {
  return contactsOfUser({ email: email?.value ?? null, phone: phone?.value ?? null });
}

function contactsOfUser({ email, phone }: Pick<ModelUser, "email" | "phone">): string[] {
  return [
    ...(email === null ? [] : [`email ${email}`]),
    ...(phone === null ? [] : [`phone ${phone}`]),
  ];
}

function userOf({ kind, contacts, hash }: Plan): ModelUser {
  const ofKind = (prefix: string): string | null =>
    contacts.find((contact) => contact.startsWith(prefix))?.slice(prefix.length) ?? null;
  const recipe = kind === "import" ? "emailpassword" : "passwordless";
  return { recipe, email: ofKind("email "), phone: ofKind("phone "), hash };
}

/** An email with a password and one without are two users. */
function shareContact(one: ModelUser, other: ModelUser): boolean {
  if (one.recipe !== other.recipe) return false;
  return (
    (one.email !== null && one.email === other.email) ||
    (one.phone !== null && one.phone === other.phone)
  );
}
