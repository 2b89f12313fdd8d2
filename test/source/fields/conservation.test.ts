import { describe, expect, test } from "vitest";
import { codeOf, type Field, fieldsOf } from "../../../src/source/fields/field-table.js";
import type { FieldNode } from "../../../src/source/fields/field-tree.js";
import { type Planted, readPlanted, VENDORS } from "./planted-users.js";

const MARK = "planted-mark";

/** Values of which a field that is read must hear one. */
const HEARD: readonly unknown[] = [
  MARK,
  true,
  "true",
  "other@example.com",
  "+447700900123",
  "2999-01-01T00:00:00Z",
  "2020-01-01T00:00:00Z",
  [MARK],
  ["UPDATE_PASSWORD"],
  [{ value: MARK, status: "VERIFIED", type: "PRIMARY" }],
  [{ type: "password", secretData: "{}", credentialData: "{}" }],
  { hash: { algorithm: "BCRYPT" } },
  { status: "verified" },
];

/** What stands beside a field where it is read, by its source and path. */
const BESIDE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "django's tables account_emails[].verified": { "account_emails[].email": "ben@example.com" },
  "django's tables account_emails[].primary": { "account_emails[].email": "ben@example.com" },
  "firebase uid": { localId: undefined },
  "firebase providerData[].phoneNumber": { localId: undefined, uid: "u1" },
  "cognito phone_number_verified": { phone_number: "+447700900101" },
  "cognito's tables phone_number_verified": { phone_number: "+447700900101" },
  "keycloak's tables salt": { password: "aGFzaA==" },
  "keycloak's tables hashiterations": { password: "aGFzaA==" },
  "keycloak's tables algorithm": { password: "aGFzaA==" },
  "keycloak's tables type": { password: "aGFzaA==" },
  "keycloak's tables credential_data": { secret_data: "{}" },
  "firebase salt": { passwordHash: "aGFzaA==" },
  "firebase passwordSalt": { passwordHash: "aGFzaA==" },
  "auth0 identities[].connection": { "identities[].user_id": "u1" },
};

/** What an element of a list has, that it is one at all. */
const ELEMENTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "firebase providerUserInfo[].": { "providerUserInfo[].providerId": "password" },
  "firebase providerData[].": { "providerData[].providerId": "password" },
  "auth0 identities[].": { "identities[].provider": "auth0" },
  "supabase identities[].": { "identities[].provider": "google" },
  "clerk external_accounts[].": { "external_accounts[].provider": "oauth_google" },
  "cognito identities[].": { "identities[].providerType": "Google" },
  "keycloak federatedIdentities[].": { "federatedIdentities[].identityProvider": "google" },
  "keycloak credentials[].": { "credentials[].type": "otp" },
};

function besideOf(name: string, path: string): Readonly<Record<string, unknown>> {
  const [, element = {}] =
    Object.entries(ELEMENTS).find(([start]) => `${name} ${path}`.startsWith(start)) ?? [];
  return { ...element, ...BESIDE[`${name} ${path}`] };
}

/** Told where the source sees more in it than that it is filled, as a user's second email is. */
const DECIDED = new Set([
  "social_identity_dropped",
  "other_contacts_not_migrated",
  "username_not_migrated",
]);

function nameOf({ path }: Field): string {
  return path.replace(/[~{}]/g, "").replace("*", "of_their_own");
}

async function outcomeOf(vendor: Planted, fields: Readonly<Record<string, unknown>>) {
  const { fields: read, users } = await readPlanted(vendor, [vendor.userWith(fields)]);
  const [user = "nothing"] = users;
  return { read, user, codes: typeof user === "string" ? [user] : user.notices };
}

describe.each(VENDORS.map((vendor) => [vendor.name, vendor] as const))(
  "a field of %s's",
  (name, vendor) => {
    const fields = fieldsOf(vendor.tree.table);

    test.each(fields.map((field) => [field.path, field] as const))(
      "%s has one fate, and has it truly",
      async (_path, field) => {
        const path = nameOf(field);
        const beside = besideOf(name, path);
        const before = await outcomeOf(vendor, beside);
        const { read, user, codes } = await outcomeOf(vendor, { ...beside, [path]: MARK });
        // What says the kind of an object makes it one that isn't a user's.
        const isKind = (types: readonly string[]): boolean => types.includes("kind of object");
        expect(read.unknown.filter(({ types }) => !isKind(types))).toEqual([]);
        const known = before.read.known.map((one) => one.path);
        const found = read.known.filter((one) => !known.includes(one.path));
        const isAgain = known.includes(field.path.replace(/[~{}]/g, ""));
        expect(found.map(({ fate }) => fate)).toEqual(isAgain ? [] : [field.fate]);

        const { fate } = field;
        if (fate.kind === "meaningless") expect(user).toEqual(before.user);
        if (fate.kind === "told" || fate.kind === "part") {
          const code = codeOf(fate) ?? "";
          const isRejected = typeof user === "string";
          if (!DECIDED.has(code) && !isRejected) expect(codes).toContain(code);
        }
      },
    );

    test.each(
      fields
        .filter(({ fate }) => fate.kind === "read")
        .map((field) => [field.path, field] as const),
    )("%s is read", async (_path, field) => {
      const path = nameOf(field);
      const beside = besideOf(name, path);
      const before = await outcomeOf(vendor, beside);
      const heard = await Promise.all(
        HEARD.map((value) => outcomeOf(vendor, { ...beside, [path]: value })),
      );
      expect(heard.map(({ user }) => user)).not.toEqual(heard.map(() => before.user));
    });
  },
);

/** A name that no vendor has, of letters by a number. */
function unknownName(seed: number): string {
  const words = ["session_token", "reset_code", "recoveryCodes", "shoeSize", "x", "Notes 2"];
  return `${words[seed % words.length]}_q${seed.toString(36)}`;
}

/** Where a value may stand without that a field above says what it is. */
function openPlaces({ tree }: Planted): FieldNode[] {
  const { nodes } = tree.places;
  // What is read whole, be it a list's element, has no fields of its own.
  const isWhole = ({ path }: FieldNode): boolean =>
    nodes.some((node) => node.path === `${path}[]` && node.fate?.kind === "part");
  const isOpen = (node: FieldNode): boolean =>
    node.cover === null && !/[*~]/.test(node.path) && !isWhole(node);
  return tree.places.nodes.filter((node) => isOpen(node) && node.children.size > 0);
}

describe("a field that no table names", () => {
  const EACH = 125;

  test.each(VENDORS.map((vendor) => [vendor.name, vendor] as const))(
    "is told by its path and type, in each of many users of %s",
    async (_name, vendor) => {
      const places = openPlaces(vendor);
      const paths = Array.from({ length: EACH }, (_, index) => {
        const { path } = places[index % places.length] ?? { path: "" };
        const isList =
          path !== "" && vendor.tree.places.nodes.some((node) => node.path === `${path}[]`);
        return [path, isList ? "[]" : "", path === "" ? "" : ".", unknownName(index)].join("");
      });
      const users = paths.map((path) => vendor.userWith({ [path]: MARK }));
      const { fields, users: read } = await readPlanted(vendor, users);
      // Databases differ in the case of columns.
      const told = fields.unknown.map(({ path, rows, types }) => [path.toLowerCase(), rows, types]);
      expect(new Set(told)).toEqual(
        new Set(paths.map((path) => [path.toLowerCase(), 1, ["text"]])),
      );
      expect(JSON.stringify(fields)).not.toContain(MARK);
      for (const user of read) {
        if (typeof user === "string") expect(user).toBe("row_malformed");
        else expect(user.notices).toContain("metadata_not_migrated");
        expect(JSON.stringify(user)).not.toContain(MARK);
      }
    },
  );

  test("is told however many there are, in little memory", async () => {
    const [vendor] = VENDORS;
    if (vendor === undefined) throw new Error("no vendor");
    const users = Array.from({ length: 900 }, (_, index) =>
      vendor.userWith({ [unknownName(index)]: MARK }),
    );
    const { fields, users: read } = await readPlanted(vendor, users);
    expect(fields.unknown).toHaveLength(500);
    expect(fields.more).toBe(true);
    const untold = read.filter(
      (user) => typeof user === "string" || !user.notices.includes("metadata_not_migrated"),
    );
    expect(untold).toEqual([]);
  });
});
