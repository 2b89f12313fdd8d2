/** Reads one JSON object, or the row of a table, by the names of its properties or by `--map`: what a mapping can say of them is read by the mapping that they infer, and what stays behind is heard. */

import { FACTOR_NOTICES } from "../../account/factor-notices.js";
import { parseFlag } from "../../account/parse-flag.js";
import type { UserDraft } from "../../account/user-draft.js";
import type { FieldTree } from "../fields/field-tree.js";
import { partOfColumn, STAYING } from "../generic/account-fields.js";
import type { ColumnWatch } from "../generic/column-watch.js";
import { matters } from "../generic/account-flags.js";
import { isUnsure, type Meaning, meaningOf, PROFILE, readsNested } from "../generic/field-names.js";
import type { UnclearName } from "../generic/flag-names.js";
import {
  decidedBy,
  hasPassword,
  type KeptOut,
  keptOut,
  leftBehind,
  SOMETHING,
  ssoOnly,
  textWithin,
} from "../generic/generic-draft.js";
import { type JsonProperty, noteObject, noteText, propertyIn } from "../generic/json-property.js";
import {
  factorIsOff,
  isAccounts,
  isFactorSwitch,
  type Way,
  waysBeside,
} from "../generic/other-ways.js";
import { keepsOut, readFlag, saysFactor } from "../generic/said-values.js";
import { textsWithin, unreadHash } from "../generic/unread-hash.js";
import { textOf, unwrap } from "../json/json-value.js";
import { RowDamage } from "../row-damage.js";
import { exclusionsIn, saysPlainText } from "../user-parts.js";
import { namedReader, type ReadNamed } from "./named-reader.js";

const [FACTOR_BY_TIME, USERNAME] = ["mfa_not_migrated", "username_not_migrated"] as const;
const OTHERS = "profile_not_migrated";

/** What it knows of one user, it forgets with the next. */
export class UserReader {
  readonly #watch: ColumnWatch;
  readonly #now: number;
  readonly #properties: JsonProperty;
  /** Of a table, which has no others. */
  readonly #columns: readonly { readonly key: string; readonly column: JsonProperty }[] | null;
  readonly #named: ReadNamed;
  readonly #tree: FieldTree | null;
  #kept: KeptOut[] = [];
  #ways: Way[] = [];
  #switches: Way[] = [];
  /** The paths of hashes that aren't read. */
  #unread: { readonly path: string; readonly isAlone: boolean }[] = [];
  /** Texts that may be the hash where no clearer name has one. */
  #unsure: { readonly path: string; readonly text: string }[] = [];
  #hasHash = false;
  #usernames: string[] = [];
  #credentials: object[] = [];
  readonly #notices = new Set<string>();
  readonly #stays = new Set<string>();

  /**
   * @param properties of the users, as far as the file's start shows them
   * @param expected flags that users at the file's start have: a user without one has an empty one; null for a table's rows
   * @param now epoch milliseconds; a lock that was over by then is none
   * @param tree the parts of the account that are kept
   */
  constructor(
    watch: ColumnWatch,
    properties: JsonProperty,
    expected: readonly JsonProperty[] | null,
    now: number,
    tree: FieldTree | null = null,
  ) {
    this.#watch = watch;
    this.#tree = tree;
    this.#now = now;
    this.#properties = properties;
    this.#columns =
      expected === null
        ? Array.from(properties.children, ([key, column]) => ({ key, column }))
        : null;
    this.#named = namedReader(properties, expected, now);
  }

  /**
   * @param known what was read of the user by name, where these are their other fields
   * @returns the user's draft, or why the object can't be read as one
   */
  read(user: object, known: UserDraft | null = null): UserDraft | RowDamage {
    this.#begin(known);
    if (this.#columns === null) this.#collect(user, this.#properties);
    else
      for (const { key, column } of this.#columns) this.#takeText(Reflect.get(user, key), column);
    const draft = this.#named.read(user, { known, credentials: this.#credentials });
    if (this.#hasHash) for (const { path, text } of this.#unsure) this.#notRead(path, text);
    const hasNone = !(draft instanceof RowDamage) && draft.hash === null;
    for (const { path, isAlone } of this.#unread) {
      if (hasNone || !isAlone) this.#watch.hash(path, hasNone ? null : this.#named.hash());
    }
    return draft instanceof RowDamage ? draft : this.#finish(draft);
  }

  /** Of the last user the notices of fields that are no part of an account, whatever parts are carried. */
  stays(): readonly string[] {
    return [...this.#stays];
  }

  /** Forgets the last user. What is empty already, as nearly all of it is, isn't made anew. */
  #begin(known: UserDraft | null): void {
    if (this.#kept.length > 0) this.#kept = [];
    if (this.#ways.length > 0) this.#ways = [];
    if (this.#switches.length > 0) this.#switches = [];
    if (this.#unread.length > 0) this.#unread = [];
    if (this.#unsure.length > 0) this.#unsure = [];
    if (this.#usernames.length > 0) this.#usernames = [];
    if (this.#credentials.length > 0) this.#credentials = [];
    if (this.#notices.size > 0) this.#notices.clear();
    if (this.#stays.size > 0) this.#stays.clear();
    this.#hasHash = known !== null && known.hash !== null;
  }

  #collect(object: object, parent: JsonProperty): void {
    for (const name of Object.keys(object)) {
      const property = propertyIn(parent, name);
      const value = unwrap(Reflect.get(object, name));
      if (typeof value === "object" && value !== null) this.#takeObject(value, property);
      else this.#takeText(textOf(value) ?? "", property);
    }
  }

  #takeText(text: string, property: JsonProperty): void {
    noteText(property, text);
    for (const meaning of property.meanings) this.#take(text, meaning, property);
  }

  /** The mapped draft with what stays behind. */
  #finish(draft: UserDraft): UserDraft {
    const notices = this.#notices;
    for (const name of this.#usernames) {
      if (leftBehind(USERNAME)(name, draft.email)) notices.add(USERNAME);
    }
    let kept: readonly KeptOut[] = this.#kept;
    if (this.#switches.length > 0 && factorIsOff(this.#switches)) {
      notices.delete(FACTOR_BY_TIME);
      kept = kept.filter(({ group }) => group !== FACTOR_BY_TIME);
    }
    const told = [...new Set([...draft.notices, ...notices])].sort();
    const alone = ssoOnly(draft.hash, told, this.#ways);
    Object.assign(draft, { notices: told });
    if (kept.length + alone.length === 0) return draft;
    const { exclusions, because } = keptOut([...kept, ...alone]);
    return Object.assign(draft, {
      exclusions: exclusionsIn([...draft.exclusions, ...exclusions]),
      because: { ...because, ...draft.because },
    });
  }

  #take(text: string, meaning: Meaning, property: JsonProperty): void {
    const { path } = property;
    switch (meaning.kind) {
      case "text":
        if (meaning.field === "plain" && !saysPlainText(path)) this.#notRead(path, text);
        if (meaning.field !== "hash" || text.trim() === "") return;
        if (isUnsure(meaning)) this.#unsure.push({ path, text });
        else this.#hasHash = true;
        break;
      case "verified":
        this.#watch.verification(path, text.trim(), meaning);
        break;
      case "exclusion":
        this.#watch.value(path, text.trim(), meaning.named);
        if (this.#watch.onUnread === undefined) return;
        if (readFlag(text.trim(), meaning, this.#now) === "unreadable") {
          this.#watch.onUnread(path, text.trim(), "active");
        }
        break;
      case "unclear":
        this.#stray(text, meaning, property);
        this.#leave(OTHERS, text, property);
        break;
      case "notice":
      case "credentials":
      case "addresses": {
        const code = meaning.kind === "notice" ? meaning.code : OTHERS;
        const isSwitch = code === FACTOR_BY_TIME && isFactorSwitch(path);
        if (isSwitch) this.#switches.push({ name: path, text });
        if (code === USERNAME) this.#usernames.push(text);
        else this.#leave(code, text, property);
        // Backup codes and secrets of second factors are hashed, too, and known for what they are.
        if (!property.isMapped && !FACTOR_NOTICES.has(code)) this.#notRead(path, text);
      }
    }
  }

  #stray(text: string, meaning: UnclearName, { path, isMapped }: JsonProperty): void {
    if (isMapped) return;
    this.#notRead(path, text);
    if (matters(meaning, text.trim(), this.#now)) this.#watch.unclear(path, meaning);
  }

  #takeObject(value: object, property: JsonProperty): void {
    if (Object.keys(value).length === 0) {
      this.#takeText("", property);
      return;
    }
    noteObject(property, value);
    if (property.leads) this.#collect(value, property);
    else for (const meaning of property.meanings) this.#takeNested(value, meaning, property);
  }

  #takeNested(value: object, meaning: Meaning, property: JsonProperty): void {
    const isList = Array.isArray(value);
    if (isList || !property.descends) property.filled += 1;
    if (meaning.kind === "credentials") {
      const beside = waysBeside(value);
      for (const code of beside.codes) this.#leave(code, SOMETHING, property);
      this.#ways.push({ name: property.shown, text: beside.names });
    }
    if (meaning.kind === "credentials" && hasPassword(value)) this.#credentials.push(value);
    else if (readsNested(meaning, isList)) {
      if (meaning.kind === "text" && meaning.field === "hash") this.#hasHash = true;
    } else if (meaning.kind === "unclear" && !property.descends) {
      this.#stray(SOMETHING, meaning, property);
      this.#leaveNested(value, meaning, property);
    } else if (!isList && property.descends) this.#collect(value, property);
    else this.#leaveNested(value, meaning, property);
  }

  #leaveNested(value: object, meaning: Meaning, property: JsonProperty): void {
    const { path, isMapped } = property;
    const told = meaning.kind === "notice" ? meaning.code : OTHERS;
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

  #leave(code: string, text: string, property: JsonProperty): void {
    if (!leftBehind(code)(text, "")) return;
    const { shown: name, path, isMapped } = property;
    this.#notices.add(code);
    const isNews = this.#tree !== null && STAYING.has(code) && !this.#stays.has(code);
    if (isNews && partOfColumn(path, this.#tree) === null) this.#stays.add(code);
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
