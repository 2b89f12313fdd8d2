import { describe, expect, it } from "vitest";
import type { UserRecord } from "../../src/account/user-record.js";
import { proveTestUsers } from "../../src/prove/prove-test-users.js";
import { BESIDE, type FieldsRead } from "../../src/source/fields/field-watch.js";
import { openInputs } from "../../src/source/inputs.js";
import { SOURCES } from "../../src/source/registry.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../support/known-hashes.js";
import { tried } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { collect } from "../source/support.js";
import { fixturesOf } from "../source/fixtures.js";
import { newMigration, outcomes } from "./support/run.js";

const newPath = temporaryPaths();

/** Of the project that the users of Firebase are from. */
const FIREBASE = { memCost: 14, rounds: 8, saltSeparator: "Bw==", signerKey: SIGNER_KEY };

const FIXTURES = SOURCES.filter(({ generic }) => !generic).flatMap((source) =>
  fixturesOf(source).map((fixture) => {
    const hashConfig = source.name === "firebase" ? FIREBASE : null;
    return [`${source.name}/${fixture.file}`, { ...fixture, hashConfig }] as const;
  }),
);

/** Columns of an application's own beside the system's, what damaged users have, and kinds of objects that aren't users'. */
const OWN = new Set(
  [
    "isBanned favoriteColor suspended banned is_banned blocked full_name points newsletter company",
    "credits UserAttributes __proto__ auth.permission admin.logentry admin::user",
    "plugin::users-permissions.role api::article.article",
    "version emoji role team channel bot post direct_channel",
  ].flatMap((names) => names.split(" ")),
);

function emailOf({ email }: UserRecord): string {
  return email?.value ?? "";
}

/** The passwords of the fixtures' users; that of vendor scrypt is the one that its README shows. */
function passwordOf(user: UserRecord): string {
  const { hash } = user;
  const isKnown = hash?.kind === "text" && hash.text === KNOWN_HASHES.vendor_scrypt.passwordHash;
  const [name] = /\p{L}+/u.exec(emailOf(user)) ?? [];
  return isKnown ? KNOWN_HASHES.vendor_scrypt.password : `${name}-sesame-7`;
}

describe("an import of a system's users", () => {
  it.each(FIXTURES)(
    "of %s lets in the users whose password moves, and none whom the system keeps out",
    async (_name, { path, expected, imported, hashConfig }) => {
      const migration = newMigration(newPath);
      const run = migration.run([path], { hashConfig });
      if (imported !== undefined && "stops" in imported) {
        await expect(run).rejects.toMatchObject({ code: imported.stops });
        expect(await migration.users()).toEqual([]);
        return;
      }
      const { summary } = await run;
      const users = await migration.users();
      const records = expected.flatMap(({ kind, record }) =>
        kind === "record" ? [record as UserRecord] : [],
      );
      const there = new Set(users.map(({ email }) => email));
      const out = records.filter(({ exclusions }) => exclusions.length > 0).map(emailOf);
      expect(out.filter((email) => there.has(email))).toEqual([]);

      const byPassword = users.filter(({ recipe }) => recipe === "emailpassword");
      for (const { email } of tried(byPassword, 1)) {
        const record = records.find((one) => emailOf(one) === email)!;
        const password = passwordOf(record);
        const signIn = await migration.core.signIn({ email: emailOf(record), password });
        expect(signIn.status, email).toBe("OK");
        const other = { email: emailOf(record), password: `${password}1` };
        const wrong = await migration.core.signIn(other);
        expect(wrong.status, email).toBe("WRONG_CREDENTIALS_ERROR");
      }

      const rest = records.filter((one) => one.hash !== null && !there.has(emailOf(one)));
      const tests = rest.map((one) => ({ user: emailOf(one), password: passwordOf(one) }));
      const inputs = await openInputs([path]);
      const policy = { onUnusableHash: "bridge" } as const;
      const { proofs } = await proveTestUsers(tests, { inputs, policy, hashConfig });
      const bridged = proofs.filter((proof) => proof.ok && proof.bridged);
      const { imported: _imported, ...others } = outcomes(summary);
      const told = Object.entries({ ...others, ...summary.rejects }).map((pair) => pair.join(" "));
      const came = { passwords: byPassword.length, bridged: bridged.length };
      expect({ ...came, others: told.join(", ") }).toEqual(imported);
    },
  );

  it.each(FIXTURES)("has a fate for every field of %s", async (_name, { path }) => {
    const read: FieldsRead[] = [];
    const [input] = await openInputs([path]);
    await collect(input!.read({ onFields: (fields) => read.push(fields) }));
    const fields = read.flatMap((one) => one.unknown);
    const unknown = fields.filter(({ types }) => !types.includes(BESIDE)).map(({ path }) => path);
    expect(unknown.filter((field) => !OWN.has(field))).toEqual([]);
  });
});
