/** Reads one JSON object of anybody's making as a user: properties by their common names or by `--map`, wherever a user has them. Two that say different things are a reject, never a guess. */

import type { RawHash } from "../../hash/hash.js";
import {
  type ChosenContact,
  type ContactCandidate,
  chooseContact,
} from "../../record/choose-contact.js";
import type { UserDraft } from "../../record/user-draft.js";
import type { Exclusion } from "../../record/user-record.js";
import { isObject, textOf, unwrap, valueAt } from "../json/json-value.js";
import { RowDamage } from "../row-damage.js";
import { showName } from "../show-name.js";
import { readExclusion, readVerified, unclearFlag } from "./account-flags.js";
import { readContacts } from "./contact-list.js";
import {
  type BesideField,
  isUnsure,
  type Meaning,
  meaningOf,
  plainName,
  type TextField,
} from "./field-names.js";
import { besideOf, isLeftBehind, rawHashOf } from "./generic-draft.js";
import type { JsonProperty } from "./json-property.js";

type ContactField = "email" | "phone";
type TextMeaning = Extract<Meaning, { kind: "text" }>;

/** What one property says of a field. */
interface Saying {
  readonly path: string;
  readonly meaning: TextMeaning;
  readonly text: string;
}

/** Something is there; what, is nobody's business. */
const SOMETHING = "?";

const ID_IMPRECISE = new RowDamage(
  "id_imprecise",
  "The id is a number that JSON readers can't keep as it is, so the true id is lost; export ids as text, in quotation marks.",
);
const SEVERAL_HASHES = new RowDamage(
  "field_ambiguous",
  "The user has more than one property that may hold the password's hash; say which one it is with --map hash=NAME.",
);

/**
 * @param expected flags that users at the file's start have: a user without one has an empty one
 * @returns the user's draft, or why the object can't be read as one
 */
export function readUser(
  user: object,
  properties: JsonProperty,
  expected: readonly JsonProperty[],
): UserDraft | RowDamage {
  const reading = new UserReading();
  reading.collect(user, properties);
  for (const property of expected) {
    if (valueAt(user, property.path) === undefined) reading.takeText("", property);
  }
  return reading.toDraft();
}

/** Whether an object or list of ways to sign in has a password among them. */
function hasPassword(value: object): boolean {
  if (Array.isArray(value)) {
    return value.some((one) => isObject(one) && one.type === "password");
  }
  return Object.keys(value).some((name) => {
    const meaning = meaningOf(plainName(name));
    return meaning.kind === "text" && meaning.field === "hash";
  });
}

function isContactField(field: TextField): field is ContactField {
  return field === "email" || field === "phone";
}

/** Numbers beyond 2^53 lose digits as they are read, and no id is a fraction. */
function isLost(value: unknown): boolean {
  return typeof value === "number" && !Number.isSafeInteger(value);
}

/** Of two names for one field, whether the second says something else than the first. */
function contradicts(one: Saying, other: Saying): boolean {
  const [a, b] = [one.text.trim(), other.text.trim()];
  return one.meaning.field === "email" ? a.toLowerCase() !== b.toLowerCase() : a !== b;
}

function severalSay({ meaning, path }: Saying, other: Saying): RowDamage {
  const { field } = meaning;
  return new RowDamage(
    "field_ambiguous",
    `The properties ${showName(path)} and ${showName(other.path)} both may be the ${field}, and differ; say which one it is with --map ${field}=NAME.`,
  );
}

/** One user while they are read. */
class UserReading {
  #damage: RowDamage | null = null;
  #exclusion: Exclusion | null = null;
  #credential: object | null = null;
  #username = "";
  readonly #texts = new Map<TextField, Saying>();
  readonly #contacts: Record<ContactField, ContactCandidate[]> = { email: [], phone: [] };
  readonly #verified: Record<ContactField, boolean | null> = { email: null, phone: null };
  readonly #beside: [BesideField, string][] = [];
  readonly #notices = new Set<string>();

  collect(object: object, parent: JsonProperty): void {
    for (const name of Object.keys(object)) {
      const property = parent.child(name);
      const value = unwrap(Reflect.get(object, name));
      if (typeof value === "object" && value !== null) this.#takeObject(value, property);
      else this.takeText(textOf(value) ?? "", property, isLost(value));
    }
  }

  takeText(text: string, { path, meanings }: JsonProperty, lost = false): void {
    for (const meaning of meanings) this.#take(text, meaning, path, lost);
  }

  toDraft(): UserDraft | RowDamage {
    const hash = this.#hash();
    if (this.#damage !== null) return this.#damage;
    const [email, phone] = [this.#contact("email"), this.#contact("phone")];
    if (email.others > 0) this.#notices.add("other_emails_not_migrated");
    if (phone.others > 0) this.#notices.add("other_phones_not_migrated");
    this.#leave("username_not_migrated", this.#username, email.value);
    return {
      sourceId: this.#texts.get("id")?.text ?? "",
      email: email.value,
      emailVerified: email.verified,
      phone: phone.value,
      phoneVerified: phone.verified,
      hash,
      exclusions: this.#exclusion === null ? [] : [this.#exclusion],
      notices: [...this.#notices].sort(),
    };
  }

  #take(text: string, meaning: Meaning, path: string, lost: boolean): void {
    switch (meaning.kind) {
      case "text":
        if (lost && meaning.field === "id") this.#damage ??= ID_IMPRECISE;
        this.#say({ path, meaning, text });
        break;
      case "list":
        this.#contacts[meaning.of].push(...readContacts([text]));
        break;
      case "verified": {
        const answer = readVerified(text.trim(), meaning.flag);
        const known = this.#verified[meaning.of];
        this.#verified[meaning.of] = known === false ? false : (answer ?? known);
        break;
      }
      case "exclusion": {
        const answer = readExclusion(text.trim(), meaning.flag, meaning.exclusion);
        if (answer === "unreadable") this.#damage ??= unclearFlag(showName(path));
        else this.#exclusion ??= answer;
        break;
      }
      case "beside":
        this.#beside.push([meaning.field, text]);
        break;
      case "notice":
        if (meaning.code === "username_not_migrated") this.#username ||= text;
        else this.#leave(meaning.code, text);
        break;
      case "credentials":
        this.#leave("profile_not_migrated", text);
    }
  }

  #takeObject(value: object, property: JsonProperty): void {
    if (Object.keys(value).length === 0) this.takeText("", property);
    else if (property.leads) this.collect(value, property);
    else for (const meaning of property.meanings) this.#takeNested(value, meaning, property);
  }

  #takeNested(value: object, meaning: Meaning, property: JsonProperty): void {
    const isList = Array.isArray(value);
    const isHash = meaning.kind === "text" && meaning.field === "hash";
    if (isHash || (meaning.kind === "credentials" && hasPassword(value))) {
      if (this.#credential !== null) this.#damage ??= SEVERAL_HASHES;
      this.#credential = value;
    } else if (meaning.kind === "exclusion") this.#damage ??= unclearFlag(showName(property.path));
    else if (isList && meaning.kind === "list") {
      this.#contacts[meaning.of].push(...readContacts(value));
    } else if (isList && meaning.kind === "text" && isContactField(meaning.field)) {
      this.#contacts[meaning.field].push(...readContacts(value));
    } else if (!isList && property.descends) this.collect(value, property);
    else this.#leave(meaning.kind === "notice" ? meaning.code : "profile_not_migrated", SOMETHING);
  }

  #say(saying: Saying): void {
    const { field, rank } = saying.meaning;
    if (saying.text.trim() === "") return;
    const known = this.#texts.get(field);
    const isSurer = known !== undefined && isUnsure(known.meaning) && !isUnsure(saying.meaning);
    const isLessSure = known !== undefined && !isUnsure(known.meaning) && isUnsure(saying.meaning);
    if (known === undefined || isSurer || (field === "id" && rank < known.meaning.rank)) {
      this.#texts.set(field, saying);
    } else if (field !== "id" && !isLessSure && contradicts(known, saying)) {
      this.#damage ??= severalSay(known, saying);
    }
  }

  #leave(code: string, text: string, email = ""): void {
    if (isLeftBehind(code, text, email)) this.#notices.add(code);
  }

  /** The property that stands for itself wins over a list; a flag beside them is about the one chosen. */
  #contact(field: ContactField): ChosenContact {
    const text = this.#texts.get(field)?.text ?? "";
    const flag = this.#verified[field];
    const own = { value: text, verified: flag, primary: true };
    const chosen = chooseContact(
      text === "" ? this.#contacts[field] : [own, ...this.#contacts[field]],
    );
    if (text !== "" || flag === null) return chosen;
    // Which of several is meant, nobody says.
    const verified =
      flag === false ? false : (chosen.verified ?? (chosen.others === 0 ? flag : null));
    return { ...chosen, verified };
  }

  #hash(): RawHash | null {
    const [text, salt] = [this.#texts.get("hash")?.text ?? "", this.#texts.get("salt")?.text ?? ""];
    const beside = besideOf(this.#beside);
    if (this.#credential === null) return rawHashOf(text, salt, beside);
    if (text !== "") this.#damage ??= SEVERAL_HASHES;
    const isAlone = salt === "" && beside === null;
    // With more beside it than its own form has, no form fits: normalization refuses it.
    const credential = isAlone ? this.#credential : { password: this.#credential, salt, ...beside };
    return { kind: "credential", credential };
  }
}
