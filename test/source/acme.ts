/** Acme Login: users as `acme export` writes them, a JSON object a line. It never exports social identities. */

import { z } from "zod";
import { defineSource, toDrafts } from "../../src/source/define-source.js";
import { fieldTree } from "../../src/source/fields/field-tree.js";
import type { Told } from "../../src/source/fields/field-watch.js";
import { exclusionsWhere, noticed } from "../../src/source/user-parts.js";
import { firstLine, readNdjson } from "../../src/source/json/ndjson.js";
import { RowDamage } from "../../src/source/row-damage.js";
import { userChecker } from "../../src/source/check-user.js";

/** What is read of a user; the Acme Login manual, "Export". */
const checkUser = userChecker(
  z.object({
    acmeId: z.string(),
    mail: z.string().nullish(),
    mailConfirmed: z.boolean(),
    bcrypt: z.string().nullish(),
    suspended: z.boolean(),
  }),
  "Acme Login",
);

/** What each field is; the same manual. */
const FIELDS = fieldTree({
  pages: ["https://acme.example.com/manual/export"],
  read: {
    id: "acmeId",
    contact: "mail",
    verified: "mailConfirmed",
    hash: "bcrypt",
    flag: "suspended",
  },
  metadata: "fullName > name",
  meaningless: { "when Acme last changed its row": "changedAt" },
});

export const acme = defineSource({
  name: "acme",
  recognize(head) {
    const first = firstLine(head);
    return first !== null && "acmeId" in first ? "a JSON object a line with an acmeId" : null;
  },
  fields: FIELDS,
  open: (_head, bytes, { watch }) => toDrafts(readNdjson(bytes), watch(FIELDS).users(toDraft)),
});

function toDraft(value: object, told: Told) {
  const user = checkUser(value);
  if (user instanceof RowDamage) return user;
  return {
    sourceId: user.acmeId,
    email: user.mail ?? "",
    emailVerified: user.mailConfirmed,
    phone: "",
    phoneVerified: null,
    hash: user.bcrypt ? ({ kind: "text", text: user.bcrypt } as const) : null,
    exclusions: exclusionsWhere({ disabled: user.suspended }),
    notices: noticed({}, told),
  };
}
