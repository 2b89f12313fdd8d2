/** Users with whole accounts, and what a core has of them. */

import type { Core } from "../../../src/core/core.js";
import { openInputs } from "../../../src/source/inputs.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import type { Migration, Run, RunOptions } from "./run.js";

export const HASH = KNOWN_HASHES.bcrypt.passwordHash;
export const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
export const JOINED = Date.UTC(2023, 8, 1, 10);

/** One user of an export in JSON. */
export interface Account {
  readonly id: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly phone?: string;
  readonly password_hash?: string;
  readonly name?: string;
  readonly plan?: string;
  readonly rights?: readonly string[];
  readonly created_at?: string;
  readonly otp?: string;
  readonly google?: string;
}

/** A user with a password and every part. */
export const ANN: Account = {
  id: "u-ann",
  email: "ann@example.com",
  email_verified: true,
  password_hash: HASH,
  name: "Ann Blum",
  plan: "gold",
  rights: ["admin", "editor"],
  created_at: "2023-09-01T10:00:00Z",
  otp: SECRET,
};

const { password_hash: _hash, ...WITHOUT_PASSWORD } = ANN;

/** A user who signs in by Google alone, and has every part. */
export const DORA: Account = {
  ...WITHOUT_PASSWORD,
  id: "u-dora",
  email: "dora@example.com",
  name: "Dora Ehlers",
  google: "1077",
};

/** A user without a password, of whose email the vendor says nothing. */
export const BEN: Account = { id: "u-ben", email: "ben@example.com", name: "Ben Adler" };

/** A user without a password, whose email the vendor verified. */
export const CLEO: Account = {
  id: "u-cleo",
  email: "cleo@example.com",
  email_verified: true,
  plan: "free",
};

export const MAP = new Map([
  ["roles", "rights"],
  ["metadata.plan", "plan"],
  ["totp", "otp"],
  ["social.google", "google"],
]);

/** Imports accounts. */
export async function importAccounts(
  migration: Migration,
  accounts: readonly Account[],
  options: RunOptions = {},
  name = "accounts.json",
  map: ReadonlyMap<string, string> = new Map(),
): Promise<Run> {
  const file = migration.write(name, JSON.stringify(accounts));
  return migration.run([], {
    inputs: await openInputs([file], { map: new Map([...MAP, ...map]) }),
    ...options,
  });
}

/** What a core has of a user; null for no such user. */
export async function accountAt(core: Core, email: string): Promise<object | null> {
  const [user] = await core.findUsers({ email });
  if (user === undefined) return null;
  const { userId } = user;
  const { metadata } = await core.part("getMetadata", { userId });
  const { roles } = await core.part("rolesOfUser", { userId });
  const { devices } = await core.part("listTotpDevices", { userId });
  return {
    recipe: user.thirdParty?.id ?? user.recipe,
    verified: user.isEmailVerified === true,
    joined: user.timeJoined === JOINED,
    metadata: { ...metadata },
    roles: [...roles].sort(),
    devices: devices.length,
  };
}

/** A core at whose nth call that changes something the run is killed, before it or after it. */
export function killing(core: Core, call: number, when: "before" | "after") {
  let calls = 0;
  const around =
    <Asked extends unknown[], T>(make: (...asked: Asked) => Promise<T>) =>
    async (...asked: Asked): Promise<T> => {
      calls += 1;
      if (calls === call && when === "before") throw new Error("killed");
      const answer = await make(...asked);
      if (calls === call) throw new Error("killed");
      return answer;
    };
  const killed: Core = {
    ...core,
    importUser: around(core.importUser),
    importAccount: around(core.importAccount),
    signInUp: around(core.signInUp),
    removeUser: around(core.removeUser),
    createCode: around(core.createCode),
    consumeCode: around(core.consumeCode),
    mapUserId: around(core.mapUserId),
    part: around(core.part) as Core["part"],
  };
  return { core: killed, calls: () => calls };
}
