/** Reads the parts of a user's account by the source's table of fields. It runs only where a caller asks for them. */

import { FACTOR_NOTICES } from "../../account/factor-notices.js";
import type {
  AccountParts,
  KeptParts,
  SocialAccount,
  TotpDevice,
} from "../../account/account-parts.js";
import { parseFlag } from "../../account/parse-flag.js";
import { isImpreciseId } from "../../account/tellable-id.js";
import { identityKind, socialName } from "../identity-providers.js";
import { isObject, textOf, unwrap } from "../json/json-value.js";
import { momentOf } from "../point-in-time.js";
import { type AccountPart, type Fate, isClaim, type SocialList } from "./field-table.js";
import {
  childOf,
  ELEMENT,
  type FieldNode,
  type FieldTree,
  hasBelow,
  stepsIn,
} from "./field-tree.js";
import { holdsFactor } from "./factor-values.js";
import { isFilled, listIn, objectOf, setOwn, withoutLost } from "./field-values.js";
import { readKeycloakOtp, readTotp } from "./totp.js";

/** Marks of a second factor that a device by time accounts for, as vendors write them beside a plain yes. */
const BY_TIME: ReadonlySet<string> = new Set([
  "google-authenticator",
  "otp",
  "totp",
  "software_token_mfa",
]);

/** The types of Keycloak's credentials that are second factors or passkeys. */
const FACTOR_TYPE = /^(?:otp|totp|hotp|webauthn|recovery)/;

/** How the parts of accounts are read. */
interface AccountReading {
  /** Epoch milliseconds, after which no user can have joined. */
  readonly now: number;
  readonly keepsAccount: KeptParts;
}

/** Reads one user. */
export class AccountReader {
  readonly #now: number;
  readonly #isWhole: boolean;
  #joined: number | null = null;
  #rolesApart: RegExp | string | null = null;
  readonly #metadata: Record<string, unknown> = {};
  readonly #roles: string[] = [];
  readonly #totp: TotpDevice[] = [];
  readonly #named: SocialAccount[] = [];
  readonly #unreadable: AccountPart[] = [];
  #hasMark = false;
  #hasOther = false;

  constructor({ now, keepsAccount }: AccountReading) {
    this.#now = now;
    this.#isWhole = keepsAccount === "all";
  }

  /**
   * @param stays as {@link AccountParts.stays}
   * @param names of the user's fields that may be parts; all of them by default
   */
  read(
    user: object,
    { places, table }: FieldTree,
    stays: AccountParts["stays"],
    names?: readonly string[],
  ): AccountParts {
    this.#rolesApart = table.rolesApart ?? null;
    this.#walk(user, places.root, names);
    for (const list of table.social ?? []) this.#named.push(...this.#social(user, list));
    const { usualRoles } = table;
    return {
      joined: this.#joined,
      metadata: withNames(this.#metadata),
      roles:
        usualRoles === undefined ? this.#roles : this.#roles.filter((role) => !usualRoles(role)),
      social: this.#named,
      totp: this.#totp,
      losesFactor: this.#hasOther || (this.#hasMark && this.#totp.length === 0),
      unreadable: this.#unreadable,
      stays,
    };
  }

  #walk(value: object, node: FieldNode, names: readonly string[] = Object.keys(value)): void {
    const isList = Array.isArray(value);
    for (const name of names) {
      const held = unwrap(value[name as keyof typeof value]);
      if (!isFilled(held)) continue;
      const child = childOf(node, isList ? ELEMENT : name);
      const { cover } = node;
      if (child !== null) this.#take(held, child, name);
      else if (cover?.fate?.kind === "told") this.#part(held, cover.fate, cover, name);
    }
  }

  #take(value: unknown, node: FieldNode, name: string): void {
    const { fate } = node;
    const inner = objectOf(value, node);
    const isTaken = inner !== null && hasBelow(node) && fate?.kind === "told";
    if (fate !== null && !isTaken)
      this.#part(node.isJson ? (inner ?? value) : value, fate, node, name);
    if (inner !== null && hasBelow(node)) this.#walk(inner, node);
  }

  #part(value: unknown, fate: Fate, node: FieldNode, name: string): void {
    if (fate.kind === "told")
      this.#hasOther ||= FACTOR_NOTICES.has(fate.code) && holdsFactor([value].flat());
    else if (fate.kind === "read" && fate.is === "factor") this.#mark(value);
    else if (fate.kind === "read" && fate.is === "hash") this.#credentials(value);
    else if (fate.kind === "part") {
      if (fate.is === "roles") this.#role(value);
      else if (fate.is === "totp") this.#add(readTotp(value));
      else if (fate.is === "social" && fate.name !== "") this.#idAt(fate.name, value);
      else if (!this.#isWhole) return;
      else if (fate.is === "joined") this.#join(value);
      else if (fate.is === "metadata") this.#keep(value, fate.name, node, name);
    }
  }

  #lose(part: AccountPart): void {
    if (!this.#unreadable.includes(part)) this.#unreadable.push(part);
  }

  /** Keycloak has factors among the credentials. */
  #credentials(value: unknown): void {
    for (const one of Array.isArray(value) ? value : []) {
      const type = isObject(one) && typeof one.type === "string" ? one.type : "";
      if (FACTOR_TYPE.test(type)) this.#add(readKeycloakOtp(one));
    }
  }

  #mark(value: unknown): void {
    for (const mark of Array.isArray(value) ? value : [value]) {
      const text = (textOf(mark) ?? "").toLowerCase();
      const isOn = parseFlag(text);
      if (isOn === false) continue;
      if (isOn === true || BY_TIME.has(text)) this.#hasMark = true;
      else this.#hasOther = true;
    }
  }

  #join(value: unknown): void {
    if (this.#joined !== null) return;
    const time = momentOf((textOf(value) ?? "").trim());
    if (time === null || time > this.#now) this.#lose("joined");
    else this.#joined = time;
  }

  /** A claim of a person is a text; a list of one is what it holds. */
  #keep(value: unknown, target: string, node: FieldNode, name: string): void {
    const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
    const held = isClaim(target) ? only : named(value, node);
    const kept = withoutLost(held);
    if (kept !== held) this.#lose("metadata");
    const isAddress = target === "address" && typeof only === "object";
    const isNoClaim = isClaim(target) && !isAddress && typeof only !== "string";
    if (isNoClaim || (node.isJson && !isObject(value))) this.#lose("metadata");
    else put(this.#metadata, target.includes("*") ? [name] : target.split("."), kept);
  }

  /** The user's id at a provider that has a column of its own. */
  #idAt(provider: string, value: unknown): void {
    const id = (textOf(value) ?? "").trim();
    const shared = { vendorProvider: provider, id, email: "", verified: null };
    if (id === "" || isImpreciseId(value)) this.#lose("social");
    else this.#named.push({ provider: socialName(provider) ?? provider, ...shared });
  }

  /** Django writes a group by its key, or as a list of its name. A key names no role. */
  #role(value: unknown): void {
    const roles = typeof value === "string" ? listIn(value, this.#rolesApart) : value;
    for (const role of Array.isArray(roles) ? roles : [roles]) {
      const only: unknown = Array.isArray(role) && role.length === 1 ? role[0] : role;
      const name = typeof only === "string" ? only.trim() : "";
      if (this.#roles.includes(name)) continue;
      if (name !== "") this.#roles.push(name);
      else this.#lose("roles");
    }
  }

  /** A factor that isn't a device by time, or can't be read as one, is lost. */
  #add(device: TotpDevice | null): void {
    if (device !== null) this.#totp.push(device);
    else {
      this.#lose("totp");
      this.#hasOther = true;
    }
  }

  #social(user: object, list: SocialList): SocialAccount[] {
    const own = new Set(list.own?.split(" "));
    return valuesAt(user, stepsIn(list.list)).flatMap((element, index) => {
      if (!isObject(element)) return [];
      const text = (path: string): string => textAt(element, path);
      const vendorProvider = text(list.provider).trim();
      if (own.has(vendorProvider) || identityKind(vendorProvider) === "own") return [];
      const id = list.id.map((path) => idAt(element, path)).find((one) => one !== "") ?? "";
      if (vendorProvider === "" || id === "") {
        this.#lose("social");
        return [];
      }
      const [email, verified] = [list.email, list.verified].map((path) =>
        path === undefined ? "" : text(path),
      );
      const first = index === 0 && email === "" ? list.first : undefined;
      return {
        provider: socialName(vendorProvider),
        vendorProvider,
        id,
        email: first === undefined ? (email ?? "") : textAt(user, first.email),
        verified: parseFlag(first === undefined ? (verified ?? "") : textAt(user, first.verified)),
      };
    });
  }
}

/** What stands at a path, `[]` for each element of a list. */
function valuesAt(value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] {
  if (step === undefined) return [value];
  if (step === ELEMENT) {
    return Array.isArray(value) ? value.flatMap((one) => valuesAt(one, rest)) : [];
  }
  return isObject(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest) : [];
}

/** As {@link textAt}; empty for an id whose digits are lost, too. */
function idAt(value: object, path: string): string {
  const id = unwrap(valuesAt(value, path.split("."))[0]);
  return isImpreciseId(id) ? "" : (textOf(id) ?? "");
}

/** Empty where there is no text, number or flag. */
function textAt(value: object, path: string): string {
  return textOf(unwrap(valuesAt(value, path.split("."))[0])) ?? "";
}

/** The value without what the table says is no metadata. */
function named(value: unknown, node: FieldNode): unknown {
  if (!isObject(value) || !hasBelow(node)) return value;
  const own = Object.entries(value).filter(([name]) => {
    const fate = childOf(node, name)?.fate;
    return fate === undefined || fate === null || (fate.kind === "part" && fate.is === "metadata");
  });
  return Object.fromEntries(own);
}

/** Puts a value where nothing stands yet. @param at the step from which on the path leads on from `into` */
function put(
  into: Record<string, unknown>,
  steps: readonly string[],
  value: unknown,
  at = 0,
): void {
  const name = steps[at] ?? "";
  const known = Object.hasOwn(into, name) ? into[name] : undefined;
  if (at + 1 < steps.length) {
    const inner = isObject(known) ? { ...known } : {};
    put(inner, steps, value, at + 1);
    setOwn(into, name, inner);
  } else if (known === undefined && isFilled(value)) setOwn(into, name, value);
}

/** SuperTokens' dashboard shows names as `first_name` and `last_name`. */
function withNames(metadata: Record<string, unknown>): AccountParts["metadata"] {
  const { given_name, family_name } = metadata;
  if (given_name !== undefined) metadata.first_name ??= given_name;
  if (family_name !== undefined) metadata.last_name ??= family_name;
  return metadata;
}
