import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { CoreFailure } from "../../src/core/core-failure.js";
import type { Core } from "../../src/core/core.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { accountAt, DORA, importAccounts } from "./support/accounts.js";
import { prepareMigration } from "./support/people.js";
import { ELSEWHERE, type Migration, newMigration, outcomes } from "./support/run.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();
const ELLA = { email: "ella@example.com", phoneNumber: "+15550100009" };
const ROW = { id: "v-9", email: ELLA.email, phone: ELLA.phoneNumber, emailVerified: "true" };
const BY_GOOGLE = { thirdPartyId: "google", thirdPartyUserId: "1077" };
const CREATE = { policy: { roles: "create" } } as const;

/** A lookup, by what it asks for; where a user comes before the answer to `late` and after that to `early`. */
interface Coming {
  readonly early: object;
  readonly late: object;
  readonly come: () => Promise<unknown>;
}

function coming(core: Core, { early, late, come }: Coming): Core {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const inTurn = async <T>(by: object, ask: () => Promise<T>): Promise<T> => {
    if (isDeepStrictEqual(by, late)) await opened.then(come);
    const answer = await ask();
    if (isDeepStrictEqual(by, early)) open();
    return answer;
  };
  return {
    ...core,
    target: ELSEWHERE,
    findUsers: (contact) => inTurn(contact, () => core.findUsers(contact)),
    findByThirdParty: (identity) => inTurn(identity, () => core.findByThirdParty(identity)),
  };
}

/** A core whose calls that bring a user get no answer, and do nothing yet. */
function deaf(core: Core) {
  const lost = async (): Promise<never> => {
    throw new CoreFailure("unreachable", "connection lost", { reached: "unknown" });
  };
  const silent: Core = { ...core, target: ELSEWHERE, consumeCode: lost, signInUp: lost };
  return { core: silent, timing: virtualTiming() };
}

/** The second contact comes by the later answer. */
function ellaComes({ core }: Migration): Core {
  return coming(core, {
    early: { email: ELLA.email },
    late: { phoneNumber: ELLA.phoneNumber },
    async come() {
      const { preAuthSessionId, linkCode } = await core.createCode({ email: ELLA.email });
      const made = await core.consumeCode({ preAuthSessionId, linkCode });
      if (made.status !== "OK") throw new Error("the user was to be made");
      await core.updateUser({ userId: made.user.userId, phoneNumber: ELLA.phoneNumber });
    },
  });
}

describe("a user who comes between the answers to two lookups", () => {
  it("is ours where an earlier run's call got no answer", async () => {
    const { migration, file } = prepareMigration(newPath, [ROW]);
    await migration.run([file], deaf(migration.core)).catch(() => {});
    const { summary } = await migration.run([file], { core: ellaComes(migration) });
    expect(outcomes(summary)).toEqual({ created: 1 });
    expect(await migration.users()).toMatchObject([ELLA]);
  });

  it("is a stranger where none was sent, and has both contacts", async () => {
    const { migration, file } = prepareMigration(newPath, [ROW]);
    const { summary } = await migration.run([file], { core: ellaComes(migration) });
    expect(outcomes(summary)).toEqual({ existed: 1 });
    expect(summary.notices).not.toHaveProperty("contact_conflict");
  });

  it("by a social account gets the rest of the account where an earlier run's call got no answer", async () => {
    const migration = newMigration(newPath);
    await importAccounts(migration, [DORA], { ...CREATE, ...deaf(migration.core) }).catch(() => {});
    const email = "dora@example.com";
    const core = coming(migration.core, {
      early: BY_GOOGLE,
      late: { email },
      come: () => migration.core.signInUp({ ...BY_GOOGLE, email, isEmailVerified: false }),
    });
    const { summary } = await importAccounts(migration, [DORA], { ...CREATE, core });
    expect(outcomes(summary)).toEqual({ created: 1 });
    const roles = ["admin", "editor"];
    expect(await accountAt(migration.core, email)).toMatchObject({ verified: true, roles });
  });
});
