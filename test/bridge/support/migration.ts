/** A migration of users whose hashes no core takes, with its vault, in this process and by the library alone. */

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { Bridge, type BridgeAnswer } from "../../../src/bridge/bridge.js";
import type { EmbeddedCore } from "../../../src/core/embedded/assemble-core.js";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { hashPassword } from "../../../src/hash/verify.js";
import { keepsHashes, type Policy } from "../../../src/plan/policy.js";
import { importUsers } from "../../../src/run/import-users.js";
import { openInputs } from "../../../src/source/inputs.js";
import { Vault } from "../../../src/vault/vault.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { fitsHere, VAULT_KEY } from "./bridged-users.js";

const SALT = "seasalt";

/** A salted digest, which no core takes and which costs a test nothing. */
export function oldHash(password: string): string {
  const digest = createHash("sha1")
    .update(password + SALT)
    .digest();
  return `{SSHA}${Buffer.concat([digest, Buffer.from(SALT)]).toString("base64")}`;
}

/** The cheapest hash that a core takes. */
export function cheapHash(password: string): Promise<string> {
  return hashPassword(password, { cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });
}

export const emailOf = (user: number): string => `user.${user}@example.com`;

/** What a run may be given beside its files. */
export interface RunChanges extends Partial<Policy> {
  readonly wrap?: (core: EmbeddedCore) => EmbeddedCore;
}

export type Migration = ReturnType<typeof migrate>;

/** Makes migrations in the folder of a test file: of users by their passwords, undefined for a row that is left out. */
export function migrations(): (passwords: readonly (string | undefined)[]) => Migration {
  const newPath = temporaryPaths();
  return (passwords) => migrate(passwords, newPath);
}

function migrate(passwords: readonly (string | undefined)[], newPath: (name: string) => string) {
  const [users, checkpoint, data] = [
    newPath("users.csv"),
    newPath("m.checkpoint"),
    newPath("core.db"),
  ];
  const vault = { path: newPath("users.vault"), key: VAULT_KEY };
  const write = (all: readonly (string | undefined)[]): void => {
    const rows = all.flatMap((password, user) =>
      password === undefined ? [] : `user.${user},${emailOf(user)},${oldHash(password)}`,
    );
    writeFileSync(users, ["id,email,password_hash", ...rows].join("\n"));
  };
  write(passwords);
  const told: string[] = [];
  const withCore = async <T>(work: (core: EmbeddedCore) => Promise<T>): Promise<T> => {
    const core = openEmbeddedCore({ file: data });
    try {
      return await work(core);
    } finally {
      await core.close();
    }
  };
  return {
    vault,
    checkpoint,
    write,
    withCore,
    /** What the last run said of rows. */
    told,
    exists: (): boolean => existsSync(vault.path),
    copyCheckpoint: (): void => copyFileSync(checkpoint, `${checkpoint}.copy`),
    putCheckpointBack: (): void => renameSync(`${checkpoint}.copy`, checkpoint),
    run({ wrap = (core) => core, ...policy }: RunChanges = {}) {
      told.length = 0;
      return withCore(async (core) =>
        importUsers({
          inputs: await openInputs([users]),
          core: wrap(core),
          checkpoint,
          binding: { kind: "embedded", coreId: core.coreId },
          policy: { onUnusableHash: "bridge", ...policy },
          onEvent(event) {
            if ("code" in event && "row" in event) {
              told.push(`${event.row.number} ${event.type} ${event.code}`);
            }
          },
          ...(keepsHashes({ onUnusableHash: "bridge", ...policy }) ? { vault } : {}),
        }),
      );
    },
    /** How many users the core has. */
    users: () => withCore((core) => core.countUsers()),
    /** A sign-in as an application makes it: at the core, then at the bridge. */
    signIn: (user: number, password: string): Promise<BridgeAnswer> =>
      withCore(async (core) => {
        const email = emailOf(user);
        if ((await core.signIn({ email, password })).status === "OK") return { status: "OK" };
        const binding = { migration: null, core: core.coreId };
        const opened = Vault.open(vault.path, { key: vault.key, binding, mustExist: true });
        try {
          return await new Bridge({ vault: opened, core, fits: fitsHere, hash: cheapHash }).verify({
            email,
            password,
          });
        } finally {
          opened.close();
        }
      }),
    /** A reset of a user's password at the core. */
    reset: (user: number, password: string) =>
      withCore(async (core) =>
        core.importUser({ email: emailOf(user), passwordHash: await cheapHash(password) }),
      ),
  };
}
