/** XenForo's authentication rows: a scheme's class beside serialized data (XF\Authentication). */

import { defineFlaw } from "../flaw.js";
import { refused } from "../inner.js";
import { objectOf, textOf } from "./fields.js";
import { type CredentialForm, MALFORMED, NO_PASSWORD } from "./form.js";

const OTHER_SCHEME = defineFlaw(
  "xenforo_scheme",
  "XenForo keeps this hash in an older or another forum's scheme, not as bcrypt of the password",
);

export const readXenForo: CredentialForm = (fields) => {
  const scheme = textOf(fields, "scheme_class")?.replaceAll("\\", ":");
  if (scheme === undefined) return null;
  if (scheme.endsWith("NoPassword")) return NO_PASSWORD;
  if (!scheme.endsWith("Core12")) return refused(OTHER_SCHEME);
  const hash = textOf(objectOf(fields, "data") ?? {}, "hash");
  if (hash !== undefined) return { kind: "text", text: hash, steps: ["xenforo_unserialized"] };
  const data = textOf(fields, "data");
  // Serialized by PHP, a container of its own, which names the step.
  return data === undefined ? refused(MALFORMED) : { kind: "text", text: data, steps: [] };
};
