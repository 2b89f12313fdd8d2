import fc from "fast-check";
import { expect, it } from "vitest";
import { readStatus } from "../../src/checkpoint/status.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { runs } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { queuedCore } from "./bulk/queued-core.js";
import { inputOf } from "./support/batches.js";
import { bcryptOf, bytesOf } from "./support/hashes.js";
import { email, phone, record } from "./support/records.js";
import { refusingCore } from "./support/refusing-core.js";
import { BEHIND_URL, newMigration, outcomes, type RunOptions } from "./support/run.js";

const newPath = temporaryPaths();

/** Hashes, each with what is told of a user who is brought with it. */
const KINDS = {
  bcrypt: [bcryptOf(1), "prehash_possible"],
  foreign: [`pbkdf2_sha256$1$salt$${bytesOf("of another kind", 32).toString("base64")}`, "bridged"],
  none: [null],
} as const;

/** `overtaken`: a stranger has the contact once the core's queue has the account. */
const FATES = ["brought", "brought", "refused", "failing", "existing", "overtaken"] as const;

const users = fc.array(
  fc.record({
    kind: fc.constantFrom("bcrypt", "bcrypt", "foreign", "none"),
    hasPhone: fc.boolean(),
    fate: fc.constantFrom(...FATES),
  }),
  { minLength: 1, maxLength: 6 },
);

type User = typeof users extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

const emailOf = (at: number): string => `reader.${at}@example.com`;

/** Of single calls a core refuses, of its queue a stranger overtakes; users without a password have neither. */
function fateOf({ kind, fate }: User, isQueued: boolean): User["fate"] {
  if (fate === "existing") return fate;
  const isOwn = fate === "overtaken" ? isQueued && kind === "bcrypt" : !isQueued && kind !== "none";
  return isOwn ? fate : "brought";
}

function toldOf(all: readonly User[], isQueued: boolean): Record<string, number> {
  const told: Record<string, number> = {};
  for (const user of all) {
    if (fateOf(user, isQueued) !== "brought") continue;
    const [hash, ...codes] = KINDS[user.kind];
    for (const code of [
      ...codes,
      ...(user.hasPhone && hash !== null ? ["phone_not_migrated"] : []),
    ])
      told[code] = (told[code] ?? 0) + 1;
  }
  return told;
}

it("notices are told of users who were brought, by a run, by one after it, by a dry run and by the status", {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(users, fc.boolean(), async (all, isQueued) => {
      const migration = newMigration(newPath);
      const emails = (fate: User["fate"]): string[] =>
        all.flatMap((user, at) => (fateOf(user, isQueued) === fate ? [emailOf(at)] : []));
      const signUp = async (some: readonly string[]): Promise<void> => {
        for (const one of some)
          await migration.core.importUser({ email: one, passwordHash: bcryptOf("their own") });
      };
      for (const [at, { kind }] of all.entries()) {
        if (!emails("existing").includes(emailOf(at))) continue;
        if (kind !== "none") await signUp([emailOf(at)]);
        else
          await migration.core.importAccount({
            wayIn: { recipe: "passwordless", email: emailOf(at) },
          });
      }
      const records = all.map(({ kind, hasPhone }, at) => {
        const [text] = KINDS[kind];
        return record({
          sourceId: `u-${at}`,
          email: email(emailOf(at)),
          phone: hasPhone && text !== null ? phone(`+1555010100${at}`) : null,
          hash: text === null ? null : { kind: "text", text },
        });
      });
      let strangers = emails("overtaken");
      const queue = queuedCore(migration, {
        async round(core) {
          await signUp(strangers);
          strangers = [];
          await core.importQueued();
        },
      });
      const refusing = { refused: emails("refused"), failing: emails("failing") };
      const options = (): RunOptions => ({
        ...(isQueued ? queue.options : { core: refusingCore(migration.core, refusing) }),
        policy: { onUnusableHash: "bridge" },
        vault: { path: `${migration.checkpoint}.vault`, key: Buffer.alloc(32, 7) },
        inputs: [inputOf("users.csv", records, [2])],
      });
      const expected = toldOf(all, isQueued);
      if (Object.values(refusing).flat().length === 0 && strangers.length === 0 && !isQueued) {
        const { core, binding = BEHIND_URL } = await migration.options([]);
        const asks = { core, binding, concurrency: 4, targetMoved: false, checkExisting: 1e6 };
        const { checkpoint } = migration;
        const { policy = {}, inputs = [] } = options();
        const dry = await validateUsers({ policy, inputs, asks: { ...asks, checkpoint } });
        expect(dry.notices).toEqual(expected);
      }
      const first = await migration.run([], options());
      const brought = all.filter((user) => fateOf(user, isQueued) === "brought").length;
      const { imported = 0, created = 0 } = outcomes(first.summary);
      expect(imported + created).toBe(brought);
      expect(first.summary.notices).toEqual(expected);
      expect(readStatus(migration.checkpoint).notices).toEqual(expected);
      const again = await migration.run([], options());
      expect(again.summary.notices).toEqual(expected);
      expect(readStatus(migration.checkpoint).notices).toEqual(expected);
      await migration.close();
    }),
    { numRuns: runs(80) },
  );
});
