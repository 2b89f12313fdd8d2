/** A migration of users whose hashes no core takes, with its vault, in this process and by the library alone. */

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Bridge, type BridgeAnswer } from "../../../src/bridge/bridge.js";
import type { EmbeddedCore } from "../../../src/core/embedded/assemble-core.js";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { hashPassword } from "../../../src/hash/verify.js";
import { KEEPS_HASHES, type Policy } from "../../../src/plan/policy.js";
import { openCheckpoint } from "../../../src/checkpoint/checkpoint.js";
import { importUsers } from "../../../src/run/import-users.js";
import { validateUsers } from "../../../src/run/validate-users.js";
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
export function migrations(
  parent?: string,
): (passwords: readonly (string | undefined)[]) => Migration {
  const newPath = temporaryPaths(parent);
  return (passwords) => migrate(passwords, newPath);
}

/** A file of SQLite's with what it keeps beside it. */
export function removeDatabase(path: string): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
}

interface Remains {
  readonly data: string;
  readonly vault: { readonly path: string; readonly key: Buffer };
}

type Asked = Pick<Bridge, "verify"> & { readonly core: EmbeddedCore };

async function withBridge<T>({ data, vault }: Remains, work: (asked: Asked) => Promise<T>) {
  const core = openEmbeddedCore({ file: data });
  // A user whose password is the core's needs no vault.
  let opened: Vault | null = null;
  const verify: Asked["verify"] = (user) => {
    const binding = { migration: null, core: core.coreId };
    opened ??= Vault.open(vault.path, { key: vault.key, binding, mustExist: true });
    return new Bridge({ vault: opened, core, fits: fitsHere, hash: cheapHash }).verify(user);
  };
  try {
    return await work({ core, verify });
  } finally {
    (opened as Vault | null)?.close();
    await core.close();
  }
}

async function signIn({ core, verify }: Asked, user: number, password: string) {
  const credentials = { email: emailOf(user), password };
  const { status } = await core.signIn(credentials);
  return status === "OK" ? "OK" : (await verify(credentials)).status;
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
          ...(KEEPS_HASHES[policy.onUnusableHash ?? "bridge"] ? { vault } : {}),
        }),
      );
    },
    /** A dry run that asks the core, from the same checkpoint. */
    foretell: (policy: Partial<Policy>) =>
      withCore(async (core) => {
        const binding = { kind: "embedded", coreId: core.coreId } as const;
        const asks = { core, binding, checkpoint, concurrency: 8, targetMoved: false };
        const inputs = await openInputs([users]);
        return validateUsers({
          inputs,
          policy,
          asks: { ...asks, checkExisting: 10, vault: vault.path },
        });
      }),
    /** As `cutover` records it; null takes it back. */
    recordCutOver(time: number | null): void {
      const opened = openCheckpoint(checkpoint);
      opened.recordCutOver(time);
      opened.close();
    },
    /** How many users the core has. */
    users: () => withCore((core) => core.countUsers()),
    /** A sign-in as an application makes it: at the core, then at the bridge. */
    signIn: (user: number, password: string): Promise<BridgeAnswer> =>
      withBridge(
        { data, vault },
        async (asked) =>
          ({
            status: await signIn(asked, user, password),
          }) as BridgeAnswer,
      ),
    /** As `signIn`, one after the other at copies of core and vault: nothing changes by it. */
    async wouldSignIn(tries: readonly (readonly [user: number, password: string])[]) {
      const copies = { data: `${data}.copy`, vault: { ...vault, path: `${vault.path}.copy` } };
      copyFileSync(data, copies.data);
      if (existsSync(vault.path)) copyFileSync(vault.path, copies.vault.path);
      const answers: BridgeAnswer["status"][] = [];
      try {
        await withBridge(copies, async (asked) => {
          for (const [user, password] of tries) answers.push(await signIn(asked, user, password));
        });
        return answers;
      } finally {
        for (const path of [copies.data, copies.vault.path]) removeDatabase(path);
      }
    },
    /** Copies all files as a run that goes on has left them; what it answers puts them back. */
    keepFiles(): () => void {
      const databases = [data, checkpoint, vault.path];
      const files = databases.flatMap((path) => [path, `${path}-wal`]);
      const kept = files.filter((path) => existsSync(path));
      for (const path of kept) copyFileSync(path, `${path}.kept`);
      return () => {
        for (const path of databases) removeDatabase(path);
        for (const path of kept) renameSync(`${path}.kept`, path);
      };
    },
    isThere: (user: number) =>
      withCore(async (core) => (await core.findUsers({ email: emailOf(user) })).length > 0),
    /** A reset of a user's password at the core. */
    reset: (user: number, password: string) =>
      withCore(async (core) =>
        core.importUser({ email: emailOf(user), passwordHash: await cheapHash(password) }),
      ),
  };
}
