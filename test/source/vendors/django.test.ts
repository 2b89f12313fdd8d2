import { describe, expect, test } from "vitest";
import { findSource } from "../../../src/source/registry.js";
import { headOf, readOnly } from "../read-users.js";
import { collect, PLAIN, pieces } from "../support.js";

const django = findSource("django")!;

const HEADER = "id,password,last_login,is_superuser,username,email,is_staff,is_active";

interface Row {
  readonly password?: string;
  readonly superuser?: string;
  readonly username?: string;
  readonly email?: string;
  readonly staff?: string;
  readonly active?: string;
}

function readRow(row: Row) {
  const { password = "x", superuser = "f", username = "ann@example.com" } = row;
  const { email = "ann@example.com", staff = "f", active = "t" } = row;
  const cells = ["7", password, "", superuser, username, email, staff, active];
  return readOnly(django, `${HEADER}\n${cells.join(",")}\n`);
}

function readFixture(fields: object, pk: unknown = 7) {
  const all = { password: "x", last_login: null, ...fields };
  return readOnly(django, JSON.stringify([{ model: "auth.user", pk, fields: all }]));
}

describe("a Django user", () => {
  test("hands the password text on as it is, also the unusable ones", async () => {
    for (const password of ["bcrypt_sha256$$2b$12$x", "argon2$argon2id$v=19$x", "!abc"]) {
      expect(await readFixture({ password })).toMatchObject({
        hash: { kind: "text", text: password },
      });
    }
    expect(await readFixture({ password: "" })).toMatchObject({ hash: null });
    expect(await readRow({ password: "\\N" })).toMatchObject({ hash: null });
  });

  test.each([
    ["t", null],
    ["True", null],
    ["1", null],
    ["f", "disabled"],
    ["False", "disabled"],
    ["0", "disabled"],
  ])("whose is_active is %s is left out as %j", async (active, exclusion) => {
    expect(await readRow({ active })).toMatchObject({
      exclusions: exclusion?.split(" ") ?? [],
    });
  });

  test.each([[""], ["\\N"], ["NULL"], ["perhaps"]])(
    "whose is_active is %j is rejected: nobody can say whether they are let in",
    async (active) => {
      expect(await readRow({ active })).toMatch(/^flag_invalid: .*is_active/);
    },
  );

  test("of a model without is_active is let in, as Django does; with null in it, rejected", async () => {
    expect(await readFixture({ email: "ann@example.com" })).toMatchObject({ exclusions: [] });
    expect(await readFixture({ is_active: null })).toMatch(/^flag_invalid/);
    expect(await readFixture({ is_active: ["true"] })).toMatch(/^row_malformed: .*"is_active"/);
    expect(await readFixture({ is_active: false })).toMatchObject({ exclusions: ["disabled"] });
  });

  test("may have the email as a username; Django says nothing of either's being verified", async () => {
    const email = { value: "ann@example.com", verified: null };
    expect(await readRow({ email: "" })).toMatchObject({ email, notices: [] });
    expect(await readRow({ username: "Ann@example.com" })).toMatchObject({ email, notices: [] });
    expect(await readRow({ username: "ann" })).toMatchObject({
      email,
      notices: ["username_not_migrated"],
    });
    expect(await readRow({ email: "", username: "ann@home" })).toMatchObject({
      email: null,
      notices: ["username_not_migrated"],
    });
  });

  test.each([
    [{ is_banned: true }, ["disabled"]],
    [{ is_banned: false }, []],
    [{ deleted_at: "2025-01-02T08:30:00Z" }, ["deleted"]],
    [{ status: "suspended" }, ["disabled"]],
  ])("is kept out by the application's own %j", async (own, exclusions) => {
    const fields = { email: "ann@example.com", is_active: true };
    expect(await readFixture({ ...fields, ...own })).toMatchObject({ exclusions });
    const [name, value] = Object.entries(own)[0]!;
    const table = `${HEADER},${name}\n7,x,,f,ann,ann@example.com,f,t,${value}\n`;
    expect(await readOnly(django, table)).toMatchObject({ exclusions });
  });

  test("isn't reached by an email of which the application's own field says no", async () => {
    const fields = { email: "ann@example.com", email_verified: false };
    expect(await readFixture(fields)).toMatchObject({ email: { verified: false } });
  });

  test.each([
    [{ superuser: "t" }, ["roles_not_migrated"]],
    [{ staff: "1" }, ["roles_not_migrated"]],
    [{ staff: "0", superuser: "False" }, []],
  ])("has a notice for roles (%#)", async (row, notices) => {
    expect(await readRow(row)).toMatchObject({ notices });
  });

  test("has notices for what else the core has no place for, each once", async () => {
    const fields = {
      email: "ann@example.com",
      first_name: "Ann",
      groups: [1],
      phone: "+447700900101",
      mobile: "+447700900102",
      company: "Blum",
      nothing: "",
      credits: 0,
    };
    expect(await readFixture(fields)).toMatchObject({
      phone: { value: "+447700900101", verified: null },
      notices: [
        "metadata_not_migrated",
        "other_contacts_not_migrated",
        "profile_not_migrated",
        "roles_not_migrated",
      ],
    });
  });

  test.each([
    [7, "7"],
    ["c9d1", "c9d1"],
    [null, null],
    [undefined, null],
  ])("with the key %j has the id %j", async (pk, sourceId) => {
    expect(await readFixture({ email: "ann@example.com" }, pk ?? null)).toMatchObject({ sourceId });
  });

  test.each([
    ["auth.user", { email: "ann@example.com" }],
    ["accounts.User", { email: "ann@example.com", password: "x" }],
    ["people.customuser", { email: "ann@example.com", is_active: true }],
    ["shop.customer", { email: "ann@example.com", password: "x", last_login: null }],
  ])("is known by the model %s and its fields", async (model, fields) => {
    expect(await readOnly(django, JSON.stringify([{ model, pk: 1, fields }]))).toMatchObject({
      email: { value: "ann@example.com" },
    });
  });

  test.each([
    ["shop.key", { password: "x" }],
    ["otp_static.statictoken", { device: 1, token: "x" }],
    ["socialaccount.socialuser", { email: "ann@example.com" }],
  ])("is no object of the model %s, which is skipped and not rejected", async (model, fields) => {
    const fixture = JSON.stringify([{ model, pk: 1, fields }]);
    const [item] = await collect(django.read("users", pieces(Buffer.from(fixture), 99), PLAIN));
    const hint = expect.stringContaining("of another model and isn't read");
    expect(item).toMatchObject({ kind: "skip", number: 1, code: "other_model", hint });
  });
});

test("Django's exports are recognized by their columns and by their model, in either container", () => {
  const line = JSON.stringify({ model: "auth.user", pk: 1, fields: {} });
  for (const text of [`${HEADER}\n`, `[${line}]`, `${line}\n${line}\n`]) {
    expect(django.recognize(headOf(text))).not.toBeNull();
  }
  for (const text of [
    "id,email,password,is_active\n",
    "id,password,last_login,is_active\n",
    '[{"model":"auth.user"}]',
    "",
  ]) {
    expect(django.recognize(headOf(text))).toBeNull();
  }
});
