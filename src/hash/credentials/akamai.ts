/** Akamai Identity Cloud's passwords: an encoded text beside its type (techdocs.akamai.com/identity-cloud, "Transform user passwords"). */

import { refused } from "../inner.js";
import { textOf } from "./fields.js";
import { type CredentialForm, holding, otherAlgorithm, plainAlgorithm } from "./form.js";

const OTHER = otherAlgorithm("akamai", "Akamai Identity Cloud");

export const readAkamai: CredentialForm = (fields) => {
  const [type, value] = [textOf(fields, "type"), textOf(fields, "value")];
  if (type === undefined || value === undefined || !type.startsWith("password-")) return null;
  const algorithm = plainAlgorithm(type);
  return algorithm === null ? refused(OTHER) : holding(value, algorithm, "credential_hash_taken");
};
