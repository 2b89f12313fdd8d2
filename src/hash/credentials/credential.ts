/** Recognizes a vendor's credential object and opens it. An object that no reader knows is refused, and never searched for something that looks like a hash. */

import { defineFlaw, EXPORT_AGAIN } from "../flaw.js";
import { type Inner, refused } from "../inner.js";
import { onlyOf, readBytes, readColumns, saysMore } from "./columns.js";
import { asFields, type Fields, objectOf, opensAsJson, parseJsonObject, textOf } from "./fields.js";
import type { CredentialForm } from "./form.js";
import { VENDOR_FORMS } from "./vendor-forms.js";

/** The first reader that knows the object decides. The last one reads objects of no known vendor. */
const FORMS: readonly CredentialForm[] = [readBytes, ...VENDOR_FORMS, readColumns];

const BROKEN_JSON = defineFlaw(
  "credential_json",
  "this begins as a JSON object but isn't complete JSON, so it was cut off or damaged",
  EXPORT_AGAIN,
);
const UNKNOWN = defineFlaw(
  "unknown_credential",
  "this object isn't a credential of any known vendor",
  "hand over the hash alone",
);

/** Where vendors nest credentials: Okta `credentials.password.hash`, Kratos `credentials.password.config`. */
const INSIDE = [
  "credentials",
  "password",
  "config",
  "hash",
  "custom_password_hash",
  "hashedPassword",
];
const MAX_DEPTH = 4;

/** Opens a credential as JSON text. */
export function openJson(text: string): Inner | null {
  if (!opensAsJson(text)) return null;
  const credential = parseJsonObject(text);
  return credential === null ? refused(BROKEN_JSON) : openCredential(credential);
}

/** What stands inside a credential object, as parsed from JSON; a refusal for an unknown one. */
export function openCredential(credential: object): Inner {
  const text = onlyOf(credential);
  if (typeof text === "string") return { kind: "text", text, steps: ["credential_hash_taken"] };
  for (const fields of layersOf(credential)) {
    for (const read of FORMS) {
      const inner = read(fields);
      if (inner !== null) return inner;
    }
  }
  return refused(UNKNOWN);
}

/** The object, and then what vendors nest in it, as far as a credential may lie inside. */
export function* layersOf(credential: object): Generator<Fields> {
  let fields = asFields(Array.isArray(credential) ? passwordOf(credential) : credential);
  for (let depth = 0; depth < MAX_DEPTH && fields !== undefined; depth++) {
    yield fields;
    fields = inside(fields);
  }
}

function inside(fields: Fields): Fields | undefined {
  if (saysMore(fields)) return undefined;
  for (const name of INSIDE) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const found = Array.isArray(value) ? asFields(passwordOf(value)) : objectOf(fields, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The one password among a user's credentials: Keycloak lists one-time passwords and keys beside it. */
function passwordOf(credentials: readonly unknown[]): unknown {
  const passwords = credentials.filter((one) => textOf(asFields(one) ?? {}, "type") === "password");
  return passwords.length === 1 ? passwords[0] : undefined;
}
