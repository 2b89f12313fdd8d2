/** Reads one JSON object, or the row of a table, as a user: properties by their common names or by `--map`, wherever the object has them. Two that say different things make it a reject. */

import { FACTOR_NOTICES } from "../../account/factor-notices.js";
import type { UserDraft } from "../../account/user-draft.js";
import { textOf, unwrap, valueAt } from "../json/json-value.js";
import { parseFlag } from "../../account/parse-flag.js";
import { isImpreciseId } from "../../account/tellable-id.js";
import { ID_IMPRECISE, RowDamage } from "../row-damage.js";
import { withoutNull } from "../csv/table.js";
import { matters, nestedFlag, unclearFlag } from "./account-flags.js";
import { keepsOut, readFlag, saysFactor, whatSays } from "./said-values.js";
import type { ColumnWatch } from "./column-watch.js";
import { isContactField, type Saying, UserContacts, UserTexts } from "./user-fields.js";
import { type Meaning, meaningOf, PROFILE } from "./field-names.js";
import {
  decidedBy,
  hasPassword,
  type KeptOut,
  keptOut,
  leftBehind,
  SOMETHING,
  ssoOnly,
  textWithin,
} from "./generic-draft.js";
import type { KeepsOut, UnclearName } from "./flag-names.js";
import { type JsonProperty, propertyIn } from "./json-property.js";
import { factorIsOff, isAccounts, isFactorSwitch, type Way, waysBeside } from "./other-ways.js";
import { saysPlainText } from "../user-parts.js";
import { UserHash } from "./user-hash.js";
import type { TableColumn } from "./table-columns.js";
import { textsWithin, unreadHash } from "./unread-hash.js";

const [FACTOR_BY_TIME, USERNAME] = ["mfa_not_migrated", "username_not_migrated"] as const;
const [ROLES, OTHERS] = ["roles_not_migrated", "profile_not_migrated"] as const;
const NONE: readonly never[] = [];

/** What it knows of one user, it forgets with the next. */
export class UserReader {
  readonly #watch: ColumnWatch;
  readonly #now: number;
  #damage: RowDamage | null = null;
  #kept: KeptOut[] = [];
  /** What locks are about that a date shows to be over, and factors that aren't in use. */
  #over: string[] = [];
  #ways: Way[] = [];
  #switches: Way[] = [];
  /** The paths of hashes that aren't read. */
  #unread: { readonly path: string; readonly isAlone: boolean }[] = [];
  #usernames: string[] = [];
  readonly #texts = new UserTexts();
  readonly #hash = new UserHash();
  readonly #notices = new Set<string>();
  readonly #contacts = new UserContacts(() => void this.#notices.add("part_unreadable"));

  /** @param now epoch milliseconds; a lock that was over by then is none */
  constructor(watch: ColumnWatch, now: number) {
    this.#watch = watch;
    this.#now = now;
  }

  /**
   * @param expected flags that users at the file's start have: a user without one has an empty one
   * @param known what was read of the user by name, where these are their other fields
   * @returns the user's draft, or why the object can't be read as one
   */
  read(
    user: object,
    properties: JsonProperty,
    expected: readonly JsonProperty[],
    known: UserDraft | null = null,
  ): UserDraft | RowDamage {
    this.#begin(known);
    this.#collect(user, properties);
    for (const property of expected) {
      if (valueAt(user, property.path) === undefined) this.#takeText("", property);
    }
    return this.#toDraft(known);
  }

  /** As {@link read}, where each cell is a property of the user's own. */
  readRow(row: readonly string[], columns: readonly TableColumn[]): UserDraft | RowDamage {
    this.#begin();
    for (const { index, property } of columns) {
      this.#takeText(withoutNull(row[index] ?? ""), property);
    }
    return this.#toDraft();
  }

  /** Forgets the last user. What is empty already, as nearly all of it is, isn't made anew. */
  #begin(known: UserDraft | null = null): void {
    this.#damage = null;
    this.#hash.clear();
    if (this.#kept.length > 0) this.#kept = [];
    if (this.#over.length > 0) this.#over = [];
    if (this.#ways.length > 0) this.#ways = [];
    if (this.#switches.length > 0) this.#switches = [];
    if (this.#unread.length > 0) this.#unread = [];
    if (this.#usernames.length > 0) this.#usernames = [];
    if (this.#notices.size > 0) this.#notices.clear();
    this.#texts.clear(known);
    this.#contacts.clear();
  }

  #collect(object: object, parent: JsonProperty): void {
    for (const name of Object.keys(object)) {
      const property = propertyIn(parent, name);
      const value = unwrap(Reflect.get(object, name));
      if (typeof value === "object" && value !== null) this.#takeObject(value, property);
      else this.#takeText(textOf(value) ?? "", property, isImpreciseId(value));
    }
  }

  #takeText(text: string, property: JsonProperty, lost = false): void {
    if (text !== "") property.filled += 1;
    for (const meaning of property.meanings) this.#take(text, meaning, property, lost);
  }

  #toDraft(known: UserDraft | null = null): UserDraft | RowDamage {
    const hash = this.#hash.of(this.#texts, known?.hash ?? null);
    for (const { path, isAlone } of this.#unread) {
      if (hash === null || !isAlone) this.#watch.hash(path, this.#texts.path("hash"));
    }
    if (this.#damage !== null) return this.#damage;
    if (hash instanceof RowDamage) return hash;
    const email = this.#contacts.chosen("email", this.#texts);
    const phone = this.#contacts.chosen("phone", this.#texts);
    if (email.others + phone.others > 0) this.#notices.add("other_contacts_not_migrated");
    for (const name of this.#usernames) {
      if (leftBehind(USERNAME)(name, email.value)) this.#notices.add(USERNAME);
    }
    if (this.#switches.length > 0 && factorIsOff(this.#switches)) {
      this.#notices.delete(FACTOR_BY_TIME);
      this.#over.push(FACTOR_BY_TIME);
    }
    const notices = this.#notices.size === 0 ? NONE : [...this.#notices].sort();
    const draft = {
      sourceId: this.#texts.of("id"),
      email: email.value,
      emailVerified: email.verified,
      phone: phone.value,
      phoneVerified: phone.verified,
      hash,
      exclusions: NONE,
      notices,
    };
    const alone = ssoOnly(hash, notices, this.#ways);
    if (this.#kept.length + alone.length === 0) return draft;
    return Object.assign(draft, keptOut([...this.#reasons(), ...alone]));
  }

  /** One that keeps the user out is enough, unless it is a lock and another flag shows that it is over. */
  #reasons(): readonly KeptOut[] {
    if (this.#kept.length === 0 || this.#over.length === 0) return this.#kept;
    return this.#kept.filter(({ group }) => group === undefined || !this.#over.includes(group));
  }

  #take(text: string, meaning: Meaning, property: JsonProperty, lost: boolean): void {
    const { path } = property;
    switch (meaning.kind) {
      case "text":
        if (lost && meaning.field === "id") this.#damage ??= ID_IMPRECISE;
        this.#say({ path, meaning, text });
        if (meaning.field === "plain" && !saysPlainText(path)) this.#notRead(path, text);
        break;
      case "list":
        this.#contacts.add(meaning.of, [text]);
        break;
      case "verified":
        this.#contacts.verify(meaning.of, this.#watch.verification(path, text.trim(), meaning));
        break;
      case "exclusion":
        this.#watch.value(path, text.trim(), meaning.named);
        this.#hear(text.trim(), meaning, property);
        break;
      case "unclear":
        this.#stray(text, meaning, property);
        this.#leave(OTHERS, text, property);
        break;
      case "beside":
        this.#hash.beside(meaning.field, text);
        break;
      case "part":
        this.#hash.part(meaning.name, text);
        break;
      default: {
        const code = meaning.kind === "notice" ? meaning.code : "profile_not_migrated";
        const isSwitch = code === FACTOR_BY_TIME && isFactorSwitch(path);
        if (isSwitch) this.#switches.push({ name: path, text });
        if (code === USERNAME) this.#usernames.push(text);
        else this.#leave(code, text, property);
        // Backup codes and secrets of second factors are hashed, too, and known for what they are.
        if (!property.isMapped && !FACTOR_NOTICES.has(code)) this.#notRead(path, text);
      }
    }
  }

  #hear(text: string, meaning: KeepsOut, { shown: name, path }: JsonProperty): void {
    const said = readFlag(text, meaning, this.#now);
    const { group } = meaning;
    if (said === "unreadable") this.#watch.onUnread?.(path, text, "active");
    if (said === "unreadable") this.#damage ??= unclearFlag(name, text);
    else if (said === "over") this.#over.push(group);
    else for (const by of said) this.#kept.push({ by, why: whatSays(name, text), group });
  }

  #stray(text: string, meaning: UnclearName, { path, isMapped }: JsonProperty): void {
    if (isMapped) return;
    this.#notRead(path, text);
    if (matters(meaning, text.trim(), this.#now)) this.#watch.unclear(path, meaning);
  }

  #takeObject(value: object, property: JsonProperty): void {
    if (Object.keys(value).length === 0) this.#takeText("", property);
    else if (property.leads) this.#collect(value, property);
    else for (const meaning of property.meanings) this.#takeNested(value, meaning, property);
  }

  #takeNested(value: object, meaning: Meaning, property: JsonProperty): void {
    const isList = Array.isArray(value);
    if (isList || !property.descends) property.filled += 1;
    const isHash = meaning.kind === "text" && meaning.field === "hash";
    if (meaning.kind === "credentials") {
      const beside = waysBeside(value);
      for (const code of beside.codes) this.#leave(code, SOMETHING, property);
      this.#ways.push({ name: property.shown, text: beside.names });
    }
    if (isHash || (meaning.kind === "credentials" && hasPassword(value))) {
      this.#hash.credential(value);
    } else if (meaning.kind === "part") this.#hash.part(meaning.name, value);
    else if (meaning.kind === "exclusion") {
      this.#damage ??= nestedFlag(property.shown);
    } else if (meaning.kind === "unclear" && !property.descends) {
      this.#stray(SOMETHING, meaning, property);
      this.#leaveNested(value, meaning, property);
    } else if (isList && meaning.kind === "addresses") this.#contacts.addAny(value);
    else if (isList && meaning.kind === "list") this.#contacts.add(meaning.of, value);
    else if (isList && meaning.kind === "text" && isContactField(meaning.field)) {
      this.#contacts.add(meaning.field, value);
    } else if (!isList && property.descends) this.#collect(value, property);
    else this.#leaveNested(value, meaning, property);
  }

  #leaveNested(value: object, meaning: Meaning, property: JsonProperty): void {
    const { path, isMapped } = property;
    const told = meaning.kind === "notice" ? meaning.code : "profile_not_migrated";
    const code = !isMapped && isAccounts(path, value) ? "social_identity_dropped" : told;
    this.#leave(code, textWithin(code, value), property);
    if (isMapped) return;
    for (const inner of textsWithin(value, path)) {
      this.#notRead(inner.path, inner.text);
      if (inner.path === `${path}[]` && keepsOut(code, inner.text)) this.#watch.unclear(path);
      if (!FACTOR_NOTICES.has(code)) this.#leaveFactor(inner, property);
      if (meaningOf(inner.name).kind === "exclusion") this.#watchInner(inner);
    }
  }

  /** A factor that lies deeper; what a list says is of other things. */
  #leaveFactor({ path, text }: ReturnType<typeof textsWithin>[number], property: JsonProperty) {
    const meaning = path.includes("[]") ? PROFILE : meaningOf(path);
    if (meaning !== PROFILE && meaning.kind === "notice" && FACTOR_NOTICES.has(meaning.code)) {
      this.#leave(meaning.code, text, property);
    } else if (saysFactor(path, text)) this.#leave(FACTOR_BY_TIME, text, property);
  }

  /** Notes an unread text that may be the password's hash. */
  #notRead(path: string, text: string): void {
    const is = unreadHash(path, text);
    if (is !== null) this.#unread.push({ path, isAlone: is === "alone" });
  }

  /** Flags in a list are of other things. */
  #watchInner({ path, text }: ReturnType<typeof textsWithin>[number]): void {
    const meaning = meaningOf(path);
    if (meaning.kind !== "unclear" || path.includes("[]")) return;
    const isNo = parseFlag(text) === false && meaning.inner === undefined;
    if (meaning.about !== "weak" && !isNo && matters(meaning, text.trim(), this.#now)) {
      this.#watch.unclear(path, meaning);
    }
  }

  #say(saying: Saying): void {
    const left = this.#texts.say(saying);
    if (left instanceof RowDamage) this.#damage ??= left;
    else if (left !== null) this.#notRead(left.path, left.text);
  }

  #leave(code: string, text: string, property: JsonProperty): void {
    if (!leftBehind(code)(text, "")) return;
    const { shown: name, path, isMapped } = property;
    this.#notices.add(code === ROLES && isMapped && meaningOf(path) === PROFILE ? OTHERS : code);
    if (code === "social_identity_dropped") this.#ways.push({ name, text });
    const decided = decidedBy(code, name, text);
    if (decided !== null) this.#kept.push(decided);
    else if (isMapped) return;
    else if (keepsOut(code, text)) this.#watch.unclear(path);
    else if (!FACTOR_NOTICES.has(code) && saysFactor(path, text)) {
      this.#leave(FACTOR_BY_TIME, text, property);
    }
  }
}
