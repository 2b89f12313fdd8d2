/** Reads one JSON object as a user: properties by their common names or by `--map`, wherever the object has them. Two that say different things make it a reject. */

import type { RawHash } from "../../hash/hash.js";
import type { UserDraft } from "../../account/user-draft.js";
import { textOf, unwrap, valueAt } from "../json/json-value.js";
import { parseFlag } from "../../account/parse-flag.js";
import { isImpreciseId } from "../../account/tellable-id.js";
import { ID_IMPRECISE, RowDamage } from "../row-damage.js";
import { matters, nestedFlag } from "./account-flags.js";
import { readSaidVerified, saysFactor, saysNoLogin } from "./said-values.js";
import type { ColumnWatch } from "./column-watch.js";
import { type ContactField, type Saying, UserContacts, UserTexts } from "./user-fields.js";
import {
  type BesideField,
  type Meaning,
  meaningOf,
  PROFILE,
  type TextField,
} from "./field-names.js";
import {
  besideOf,
  FACTORS,
  hasPassword,
  KeptOutBy,
  keptOut,
  decidedBy,
  leftBehind,
  rawHashOf,
  SOMETHING,
  ssoOnly,
  textWithin,
} from "./generic-draft.js";
import type { UnclearName } from "./flag-names.js";
import { type JsonProperty, propertyIn } from "./json-property.js";
import { factorIsOff, isAccounts, isFactorSwitch, type Way, waysBeside } from "./other-ways.js";
import { hashByName, plainPassword, saysPlainText } from "../user-parts.js";
import { textsWithin, unreadHash } from "./unread-hash.js";

const SEVERAL_HASHES = new RowDamage(
  "field_ambiguous",
  "The user has more than one property that may hold the password's hash; say which one it is with --map hash=NAME.",
);

const FACTOR_BY_TIME = "mfa_not_migrated";

/** How the users of a file are read. */
interface FileReading {
  readonly properties: JsonProperty;
  /** Flags that users at the file's start have: a user without one has an empty one. */
  readonly expected: readonly JsonProperty[];
  readonly watch: ColumnWatch;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** @returns the user's draft, or why the object can't be read as one */
export function readUser(
  user: object,
  { properties, expected, watch, now }: FileReading,
): UserDraft | RowDamage {
  const reading = new UserReading(watch, now);
  reading.collect(user, properties);
  for (const property of expected) {
    if (valueAt(user, property.path) === undefined) reading.takeText("", property);
  }
  return reading.toDraft();
}

function isContactField(field: TextField): field is ContactField {
  return field === "email" || field === "phone";
}

/** One user while they are read. */
class UserReading {
  #damage: RowDamage | null = null;
  readonly #kept = new KeptOutBy();
  readonly #ways: Way[] = [];
  readonly #switches: Way[] = [];
  /** The paths of hashes that aren't read. */
  readonly #unread: { readonly path: string; readonly isAlone: boolean }[] = [];
  readonly #watch: ColumnWatch;
  readonly #now: number;
  #credential: object | null = null;
  readonly #parts = new Map<string, unknown>();
  #username = "";
  readonly #texts = new UserTexts();
  readonly #contacts = new UserContacts();
  readonly #beside: [BesideField, string][] = [];
  readonly #notices = new Set<string>();

  constructor(watch: ColumnWatch, now: number) {
    this.#watch = watch;
    this.#now = now;
  }

  collect(object: object, parent: JsonProperty): void {
    for (const name of Object.keys(object)) {
      const property = propertyIn(parent, name);
      const value = unwrap(Reflect.get(object, name));
      if (typeof value === "object" && value !== null) this.#takeObject(value, property);
      else this.takeText(textOf(value) ?? "", property, isImpreciseId(value));
    }
  }

  takeText(text: string, property: JsonProperty, lost = false): void {
    if (text !== "") property.filled += 1;
    for (const meaning of property.meanings) this.#take(text, meaning, property, lost);
  }

  toDraft(): UserDraft | RowDamage {
    const hash = this.#hash();
    for (const { path, isAlone } of this.#unread) {
      if (hash === null || !isAlone) this.#watch.hash(path, this.#texts.path("hash"));
    }
    if (this.#damage !== null) return this.#damage;
    const { email, phone } = this.#contacts.chosen(
      this.#texts.of("email"),
      this.#texts.of("phone"),
    );
    if (email.others + phone.others > 0) this.#notices.add("other_contacts_not_migrated");
    if (leftBehind("username_not_migrated")(this.#username, email.value)) {
      this.#notices.add("username_not_migrated");
    }
    if (factorIsOff(this.#switches)) {
      this.#notices.delete(FACTOR_BY_TIME);
      this.#kept.lift(FACTOR_BY_TIME);
    }
    const notices = [...this.#notices].sort();
    const kept = this.#kept.reasons();
    return {
      sourceId: this.#texts.of("id"),
      email: email.value,
      emailVerified: email.verified,
      phone: phone.value,
      phoneVerified: phone.verified,
      hash,
      ...keptOut([...kept, ...ssoOnly(hash, notices, () => this.#ways)]),
      notices,
    };
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
        this.#watch.verification(property.shown, text.trim(), meaning);
        this.#contacts.verify(meaning.of, readSaidVerified(text, meaning));
        break;
      case "exclusion":
        this.#watch.value(property.shown, text.trim(), meaning.named);
        this.#damage ??= this.#kept.hear(text.trim(), meaning, property.shown, this.#now);
        break;
      case "unclear":
        this.#stray(text, meaning, property);
        this.#leave("profile_not_migrated", text, property);
        break;
      case "beside":
        this.#beside.push([meaning.field, text]);
        break;
      case "part":
        this.#parts.set(meaning.name, text);
        break;
      default: {
        const code = meaning.kind === "notice" ? meaning.code : "profile_not_migrated";
        if (code === FACTOR_BY_TIME && isFactorSwitch(path)) {
          this.#switches.push({ name: path, text });
        }
        if (code === "username_not_migrated") this.#username ||= text;
        else this.#leave(code, text, property);
        if (!property.isMapped) this.#notRead(path, text);
      }
    }
  }

  #stray(text: string, meaning: UnclearName, property: JsonProperty): void {
    if (property.isMapped || !matters(meaning, text.trim(), this.#now)) return;
    this.#watch.unclear(property.path, meaning.about);
    this.#notRead(property.path, text);
  }

  #takeObject(value: object, property: JsonProperty): void {
    if (Object.keys(value).length === 0) this.takeText("", property);
    else if (property.leads) this.collect(value, property);
    else for (const meaning of property.meanings) this.#takeNested(value, meaning, property);
  }

  #takeNested(value: object, meaning: Meaning, property: JsonProperty): void {
    const isList = Array.isArray(value);
    if (isList || !property.descends) property.filled += 1;
    const isHash = meaning.kind === "text" && meaning.field === "hash";
    if (meaning.kind === "credentials") {
      const { codes, names } = waysBeside(value);
      for (const code of codes) this.#leave(code, SOMETHING, property);
      this.#ways.push({ name: property.shown, text: names });
    }
    if (isHash || (meaning.kind === "credentials" && hasPassword(value))) {
      if (this.#credential !== null) this.#damage ??= SEVERAL_HASHES;
      this.#credential = value;
    } else if (meaning.kind === "part") this.#parts.set(meaning.name, value);
    else if (meaning.kind === "exclusion") {
      this.#damage ??= nestedFlag(property.shown);
    } else if (meaning.kind === "unclear" && !property.descends) {
      this.#stray(SOMETHING, meaning, property);
      this.#leaveNested(value, meaning, property);
    } else if (isList && meaning.kind === "addresses") this.#contacts.addAny(value);
    else if (isList && meaning.kind === "list") this.#contacts.add(meaning.of, value);
    else if (isList && meaning.kind === "text" && isContactField(meaning.field)) {
      this.#contacts.add(meaning.field, value);
    } else if (!isList && property.descends) this.collect(value, property);
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
      if (!FACTORS.has(code)) this.#leaveFactor(inner, property);
      if (meaningOf(inner.name).kind === "exclusion") this.#watchInner(inner);
    }
  }

  /** A factor that lies deeper; what a list says is of other things. */
  #leaveFactor({ path, text }: ReturnType<typeof textsWithin>[number], property: JsonProperty) {
    const meaning = path.includes("[]") ? PROFILE : meaningOf(path);
    if (meaning !== PROFILE && meaning.kind === "notice" && FACTORS.has(meaning.code)) {
      this.#leave(meaning.code, text, property);
    } else if (saysFactor(path, text)) this.#leave(FACTOR_BY_TIME, text, property);
  }

  /** Notes an unread text that may be the password's hash. */
  #notRead(path: string, text: string): void {
    const found = unreadHash(path, text);
    if (found !== null) this.#unread.push({ path, isAlone: found === "alone" });
  }

  /** Flags in a list are of other things. */
  #watchInner({ path, text }: ReturnType<typeof textsWithin>[number]): void {
    const meaning = meaningOf(path);
    if (meaning.kind !== "unclear" || path.includes("[]")) return;
    const isNo = parseFlag(text) === false && meaning.inner === undefined;
    if (meaning.about !== "weak" && !isNo && matters(meaning, text.trim(), this.#now)) {
      this.#watch.unclear(path, meaning.about);
    }
  }

  #say(saying: Saying): void {
    const left = this.#texts.say(saying);
    if (left instanceof RowDamage) this.#damage ??= left;
    else if (left !== null) this.#notRead(left.path, left.text);
  }

  #leave(code: string, text: string, property: JsonProperty): void {
    const { shown: name, path, isMapped } = property;
    if (!leftBehind(code)(text, "")) return;
    this.#notices.add(code);
    if (code === "social_identity_dropped") this.#ways.push({ name, text });
    const decided = decidedBy(code, name, text);
    if (decided !== null) this.#kept.add(decided);
    else if (isMapped) return;
    else if (saysNoLogin(text)) this.#watch.unclear(path, "flag");
    else if (!FACTORS.has(code) && saysFactor(path, text)) {
      this.#leave(FACTOR_BY_TIME, text, property);
    }
  }

  #hash(): RawHash | null {
    const hasHash = this.#credential !== null || this.#texts.of("hash") !== "";
    const field = hasHash ? "hash" : "plain";
    const [text, salt] = [this.#texts.of(field), this.#texts.of("salt")];
    const beside = besideOf(this.#beside);
    if (this.#credential === null) {
      const name = this.#texts.path(field) ?? "";
      if (field === "plain" && text.trim() !== "") return plainPassword(name, text);
      const made = hashByName(name, text);
      if (made !== null) return made;
      if (this.#parts.size === 0 || text.trim() === "") return rawHashOf(text, salt, beside);
      const credential = { ...Object.fromEntries(this.#parts), password: text };
      return { kind: "credential", credential };
    }
    if (text !== "") this.#damage ??= SEVERAL_HASHES;
    const isAlone = salt === "" && beside === null;
    // With more beside it than its own form has, no form fits: normalization refuses it.
    const credential = isAlone ? this.#credential : { password: this.#credential, salt, ...beside };
    return { kind: "credential", credential };
  }
}
