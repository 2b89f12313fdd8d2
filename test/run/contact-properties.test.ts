import fc from "fast-check";
import { expect, it } from "vitest";
import type { UserRecord } from "../../src/account/user-record.js";
import type { RowEvent } from "../../src/events/events.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { inputOf } from "./support/batches.js";
import { bcryptOf } from "./support/hashes.js";
import { ModelMigration } from "./support/model-migration.js";
import { email, phone, record } from "./support/records.js";
import { newMigration, told } from "./support/run.js";

const FIRST_RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 80, full: 5000 });
/** How many migrations are played, each with a core and a checkpoint of its own. */
const HISTORIES = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 3, full: 500 });
const newPath = temporaryPaths();

const HASHES = [bcryptOf(1), bcryptOf(2)];
const DAMAGED = bcryptOf(3).slice(0, -1);
const usable = (hash: string): boolean => hash !== DAMAGED;

/** Few ids and contacts: most rows meet another one. */
const row: fc.Arbitrary<UserRecord> = fc
  .record({
    id: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 2 }),
    email: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 6 }),
    phone: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 1 }),
    emailVerified: fc.constantFrom(true, false, null),
    phoneVerified: fc.constantFrom(true, false, null),
    hash: fc.constantFrom(...HASHES, null, null, null, DAMAGED),
    exclusions: fc.constantFrom([], [], [], ["disabled"], ["deleted"]) as fc.Arbitrary<
      UserRecord["exclusions"]
    >,
  })
  .map((drawn) =>
    record({
      sourceId: drawn.id === null ? null : `u-${drawn.id}`,
      email:
        drawn.email === null
          ? null
          : email(`reader.${drawn.email}@example.com`, drawn.emailVerified),
      phone: drawn.phone === null ? null : phone(`+1555010100${drawn.phone}`, drawn.phoneVerified),
      hash: drawn.hash === null ? null : { kind: "text", text: drawn.hash },
      exclusions: drawn.exclusions,
    }),
  );
const rows = fc.array(row, { minLength: 1, maxLength: 6 });
/** A newer export has rows of the one before, in another order, and some others. */
const exports = fc
  .tuple(rows, fc.array(fc.tuple(rows, fc.nat()), { maxLength: 2 }))
  .map(([first, newer]) => {
    const all = [first];
    for (const [others, at] of newer) {
      const last = all.at(-1) ?? [];
      all.push([...last.slice(at % 3), ...others, ...last.slice(0, at % 2)].slice(0, 9));
    }
    return all;
  });

/** An export in two files, and where a row of theirs stands in it. */
function filesOf(records: readonly UserRecord[], cut: number, name: string) {
  const files = [records.slice(0, cut), records.slice(cut)];
  const inputs = files.map((some, at) => inputOf(`${name}-${at}.csv`, some, [3]));
  const tellingOf = (event: RowEvent): string => {
    const before = event.row.file.endsWith("-1.csv") ? (files[0]?.length ?? 0) : 0;
    return told({ ...event, row: { ...event.row, number: event.row.number + before } });
  };
  return { inputs, tellingOf };
}

function refused(endings: readonly string[]): string[] {
  const all = endings.map((ending, at) => `${at + 1} ${ending}`);
  return all.filter((ending) => / (?:reject|skip) /.test(ending));
}

it("who gets a contact in a first run is whom a plain model names, in any order of rows, files and options", async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.boolean(), fc.nat({ max: 6 }), async (records, included, cut) => {
      const endings = new ModelMigration([]).run(records, usable, false, included);
      const { inputs, tellingOf } = filesOf(records, cut, "export");
      const events: RowEvent[] = [];
      await validateUsers({
        inputs,
        policy: { include: included ? ["unverified"] : [], carry: [] },
        onEvent: (event) => void ("row" in event && events.push(event)),
      });
      expect(events.map(tellingOf)).toEqual(refused(endings));
    }),
    { numRuns: FIRST_RUNS },
  );
});

it("who gets a contact is whom a plain model names, in any sequence of exports", async () => {
  const options = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(exports, options, fc.nat({ max: 6 }), async (all, includes, cut) => {
      const migration = newMigration(newPath);
      const model = new ModelMigration([]);
      for (const [index, records] of all.entries()) {
        const takesUnverified = includes[index] ?? false;
        const endings = model.run(records, usable, false, takesUnverified);
        fc.pre(!model.conflicts);
        const { inputs, tellingOf } = filesOf(records, cut, `export-${index}`);
        const include = takesUnverified ? (["unverified"] as const) : [];
        const run = await migration.run([], { inputs, policy: { include, carry: [] } });
        expect(run.events.map(tellingOf).sort()).toEqual(refused(endings).sort());
        const users = await migration.users();
        expect(
          users
            .map(({ recipe, email: address, phoneNumber }) =>
              [recipe, address, phoneNumber].join(" "),
            )
            .sort(),
        ).toEqual(
          model.users.map((user) => [user.recipe, user.email, user.phone].join(" ")).sort(),
        );
      }
      await migration.close();
    }),
    { numRuns: HISTORIES },
  );
});
