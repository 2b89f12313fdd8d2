import { describe, expect, it } from "vitest";
import type { UserRecord } from "../../src/account/user-record.js";
import { proveTestUsers } from "../../src/prove/prove-users.js";
import { builtInMappings } from "../../src/source/built-in-mappings.js";
import type { FieldsRead } from "../../src/source/fields/field-watch.js";
import { openInputs } from "../../src/source/inputs.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { tried } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { collect } from "../source/support.js";
import { fixturesOf } from "../source/fixtures.js";
import { newMigration, outcomes } from "./support/run.js";

const newPath = temporaryPaths();
const FIXTURES = builtInMappings().flatMap((source) =>
  fixturesOf(source).map((fixture) => [`${source.name}/${fixture.file}`, fixture] as const),
);

/** Columns of an application's own, beside the system's. */
const OWN = ["isBanned", "favoriteColor", "suspended", "banned", "is_banned", "blocked"];

/** How many users keep their password, how many the bridge knows, and what becomes of the rest. */
const EXPECTED: Readonly<Record<string, readonly [number, number, string]>> = {
  "akamai/records.json": [
    12,
    0,
    "created 2, skipped 3, rejected 3, contact_unverified 1, no_contact 1, akamai_algorithm 1",
  ],
  "appwrite/users.json": [
    11,
    0,
    "created 3, skipped 2, rejected 4, contact_unverified 1, factor_lost 1, no_contact 1, appwrite_phpass 1",
  ],
  "aspnet-identity/AspNetUsers.csv": [
    1,
    12,
    "created 3, skipped 2, rejected 14, aspnet_identity_v3 13, contact_unverified 1",
  ],
  "authjs/users.ndjson": [14, 0, "created 2, skipped 3, rejected 1, contact_unverified 1"],
  "better-auth/users.ndjson": [
    12,
    1,
    "created 2, skipped 3, rejected 3, contact_unverified 1, factor_lost 1, better_auth_scrypt 1",
  ],
  "casdoor/users.json": [
    9,
    0,
    "created 3, skipped 4, rejected 4, mcf_plus_salt_column 1, contact_unverified 1, no_contact 1, raw_digest 1",
  ],
  "devise/users.csv": [
    11,
    0,
    "created 2, skipped 4, rejected 3, contact_unverified 1, factor_lost 1, no_contact 1",
  ],
  "directus/users.json": [10, 0, "created 4, skipped 5, rejected 1, no_contact 1"],
  "discourse/users.csv": [0, 12, "created 1, skipped 5, rejected 14, pbkdf2 13, flag_invalid 1"],
  "drupal/users_field_data.csv": [16, 1, "skipped 3, rejected 2, no_contact 1, drupal7 1"],
  "entra/users.json": [0, 0, "created 14, skipped 3, rejected 3, no_contact 3"],
  "fusionauth/users.json": [
    2,
    0,
    "created 9, skipped 2, rejected 7, contact_unverified 4, factor_lost 1, no_contact 1, fusionauth_salted_pbkdf2_hmac_sha256 1",
  ],
  "joomla/users.csv": [
    15,
    0,
    "skipped 2, rejected 3, factor_lost 1, no_contact 1, salted_digest 1",
  ],
  "kratos/identities.json": [
    10,
    1,
    "created 3, skipped 3, rejected 4, no_contact 1, pbkdf2 1, factor_lost 2",
  ],
  "laravel/users.csv": [14, 0, "skipped 3, rejected 3, factor_lost 1, no_contact 1, unknown 1"],
  "logto/users.csv": [
    11,
    0,
    "created 4, skipped 2, rejected 3, factor_lost 1, no_contact 1, credential_algorithm 1",
  ],
  "logto/users.json": [2, 0, "created 4, skipped 2"],
  "parse/_User.json": [
    12,
    0,
    "created 1, skipped 4, rejected 3, contact_unverified 1, no_contact 1, django_digest 1",
  ],
  "pocketbase/users.csv": [16, 0, "created 1, skipped 2, rejected 1, no_contact 1"],
  "strapi/up_users.csv": [
    13,
    0,
    "created 2, skipped 3, rejected 2, contact_unverified 1, no_contact 1",
  ],
  "stytch/users.json": [
    0,
    0,
    "created 14, skipped 2, rejected 4, contact_unverified 2, factor_lost 2",
  ],
  "supertokens/users.json": [14, 0, "created 4, skipped 1, rejected 1, unknown 1"],
  "wordpress/wp_users.csv": [6, 0, "skipped 2"],
  "wordpress/wp_users.json": [
    9,
    8,
    "skipped 2, rejected 9, wordpress_6_8 4, phpass 4, no_contact 1",
  ],
  "workos/users.json": [0, 0, "created 17, rejected 3, contact_unverified 3"],
  "zitadel/export.json": [
    9,
    0,
    "created 3, skipped 4, rejected 4, contact_unverified 1, no_contact 1, pbkdf2 1, flag_invalid 1",
  ],
  "zitadel/users.json": [0, 0, "created 1, skipped 3, rejected 1, contact_unverified 1"],
};

function emailOf({ email }: UserRecord): string {
  return email?.value ?? "";
}

/** The passwords of the fixtures' users; that of vendor scrypt is the one that its README shows. */
function passwordOf({ hash, ...user }: UserRecord): string {
  const isKnown = hash?.kind === "text" && hash.text === KNOWN_HASHES.vendor_scrypt.passwordHash;
  return isKnown
    ? KNOWN_HASHES.vendor_scrypt.password
    : `${emailOf({ hash, ...user }).split(".")[0]}-sesame-7`;
}

describe("an import of a mapped system's users", () => {
  it.each(FIXTURES)(
    "of %s lets in the users whose password moves, and none whom the system keeps out",
    async (name, { path, expected }) => {
      const migration = newMigration(newPath);
      const { summary } = await migration.run([path]);
      const users = await migration.users();
      const records = expected.flatMap(({ kind, record }) =>
        kind === "record" ? [record as UserRecord] : [],
      );
      const there = new Set(users.map(({ email }) => email));
      const out = records.filter(({ exclusions }) => exclusions.length > 0).map(emailOf);
      expect(out.filter((email) => there.has(email))).toEqual([]);

      const byPassword = users.filter(({ recipe }) => recipe === "emailpassword");
      for (const { email } of tried(byPassword, 3)) {
        const record = records.find((one) => emailOf(one) === email)!;
        const signIn = await migration.core.signIn({
          email: emailOf(record),
          password: passwordOf(record),
        });
        expect(signIn.status, email).toBe("OK");
      }

      const rest = records.filter((one) => one.hash !== null && !there.has(emailOf(one)));
      const tests = rest.map((one) => ({ user: emailOf(one), password: passwordOf(one) }));
      const inputs = await openInputs([path]);
      const policy = { onUnusableHash: "bridge" } as const;
      const { proofs } = await proveTestUsers(tests, { inputs, policy });
      const bridged = proofs.filter((proof) => proof.ok && proof.algorithm === "bridged");
      const { imported: _imported, ...others } = outcomes(summary);
      const told = Object.entries({ ...others, ...summary.rejects }).map((pair) => pair.join(" "));
      expect([byPassword.length, bridged.length, told.join(", ")]).toEqual(EXPECTED[name]);
    },
  );

  it.each(FIXTURES)("has a fate for every field of %s", async (_name, { path }) => {
    const read: FieldsRead[] = [];
    const [input] = await openInputs([path]);
    await collect(input!.read({ onFields: (fields) => read.push(fields) }));
    const unknown = read.flatMap((one) => one.unknown.map((field) => field.path));
    expect(unknown.filter((field) => !OWN.includes(field))).toEqual([]);
  });
});
