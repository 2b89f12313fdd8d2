import { writeFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { openBridge } from "../../../src/bridge/open-bridge.js";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import type { Policy } from "../../../src/plan/policy.js";
import { importUsers } from "../../../src/run/import-users.js";
import { openInputs } from "../../../src/source/inputs.js";
import { loadPasswordExport } from "../../../src/password-export/load-export.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { VAULT_KEY } from "../support/bridged-users.js";
import { cognitoExport, startVendor } from "./stand-ins.js";

const newPath = temporaryPaths();
const [ANN, BOB, CARA] = ["ann@example.com", "bob@example.com", "Cara@Example.com"] as const;
const OK = { status: "OK" };
const WRONG = { status: "WRONG_CREDENTIALS_ERROR" };
const passwordOf = (email: string): string => `the password of ${email}`;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Cognito's Ann, and Bob who has a second factor there, behind a bridge. */
async function bridged(policy: Partial<Policy> = {}) {
  const vendor = await startVendor("cognito", (email, password) => {
    if (![ANN, BOB, CARA].includes(email as typeof ANN)) return "unknown";
    if (password !== passwordOf(email)) return "wrong";
    return email === BOB ? "factor" : "right";
  });
  const users = newPath("users.json");
  writeFileSync(users, cognitoExport([ANN, BOB, CARA]));
  const core = openEmbeddedCore({ file: newPath("core.db") });
  const vault = { path: newPath("users.vault"), key: VAULT_KEY };
  const summary = await importUsers({
    ...{ core, vault, inputs: await openInputs([users]), checkpoint: newPath("checkpoint") },
    policy: { onUnusableHash: "bridge", upstream: "cognito", ...policy },
  });
  const { upstream } = vendor;
  const open = (asked = true) => openBridge({ vault, core, ...(asked ? { upstream } : {}) });
  closing.push(() => core.close(), vendor.close);
  return { core, vendor, summary, open };
}

describe("users of a vendor that hands out no hash", () => {
  it("sign in with their password, which the vendor is asked for once", async () => {
    const { core, vendor, summary, open } = await bridged();
    expect(summary).toMatchObject({ imported: 3, bridged: 3, notices: { bridged: 3 } });
    expect(summary.notices).not.toHaveProperty("password_not_exported");
    const bridge = open();
    const signIn = { email: ANN, password: passwordOf(ANN) };
    expect(await core.signIn(signIn)).toEqual(WRONG);
    expect(await bridge.verify({ email: ANN, password: "a guess" })).toEqual(WRONG);
    expect(await bridge.verify(signIn)).toEqual(OK);
    expect(await core.signIn(signIn)).toMatchObject(OK);
    expect(bridge.left()).toBe(2);
    expect(vendor.calls).toEqual([ANN, ANN]);
    await bridge.close();
  });

  it("are asked for by their email as the vendor writes it, whatever they type", async () => {
    const { vendor, open } = await bridged();
    const bridge = open();
    const signIn = { email: "cara@EXAMPLE.com", password: passwordOf(CARA) };
    expect(await bridge.verify(signIn)).toEqual(OK);
    expect(vendor.calls).toEqual([CARA]);
    await bridge.close();
  });

  it("aren't let in past a second factor that the core wouldn't ask for", async () => {
    const { core, open } = await bridged();
    const bridge = open();
    const signIn = { email: BOB, password: passwordOf(BOB) };
    expect(await bridge.verify(signIn)).toEqual({ status: "FACTOR_LOST" });
    expect(await bridge.verify({ email: BOB, password: "a guess" })).toEqual(WRONG);
    expect(await core.signIn(signIn)).toEqual(WRONG);
    expect(bridge.left()).toBe(3);
    await bridge.close();
  });

  it("are let in past it where its loss was accepted at the import", async () => {
    const { core, open } = await bridged({ onLostFactor: "accept" });
    const bridge = open();
    const signIn = { email: BOB, password: passwordOf(BOB) };
    expect(await bridge.verify(signIn)).toEqual(OK);
    expect(await core.signIn(signIn)).toMatchObject(OK);
    await bridge.close();
  });

  it("are the only ones of whom the vendor is told", async () => {
    const { vendor, open } = await bridged();
    const bridge = open();
    const signIn = { email: "zoe@example.com", password: passwordOf(ANN) };
    expect(await bridge.verify(signIn)).toEqual(WRONG);
    expect(vendor.calls).toEqual([expect.stringMatching(/^[0-9a-f]{16}@example\.com$/)]);
    await bridge.close();
  });

  it("are kept where the export says that they have a password, and not where it says that they have none", async () => {
    const users = newPath("auth0.json");
    const google = {
      ...{ provider: "google-oauth2", connection: "google-oauth2", user_id: "1049" },
      isSocial: true,
    };
    const own = {
      ...{ provider: "auth0", connection: "Username-Password-Authentication", user_id: "a1" },
      isSocial: false,
    };
    const ann = { user_id: "auth0|a1", email: ANN, email_verified: true };
    const bob = { user_id: "google-oauth2|1050", email: BOB, email_verified: true };
    const code = { provider: "email", connection: "email", user_id: "e1", isSocial: false };
    // Cara got a code once, and never entered it.
    const cara = { user_id: "email|e1", email: CARA, email_verified: false };
    const lines = [
      { ...ann, identities: [own, google] },
      { ...bob, identities: [{ ...google, user_id: "1050" }] },
      { ...cara, identities: [code] },
    ];
    writeFileSync(users, JSON.stringify(lines));
    const vendor = await startVendor("auth0", (email, password) =>
      email === ANN && password === passwordOf(ANN) ? "right" : "wrong",
    );
    const core = openEmbeddedCore({ file: newPath("core.db") });
    closing.push(() => core.close(), vendor.close);
    const vault = { path: newPath("users.vault"), key: VAULT_KEY };
    const summary = await importUsers({
      ...{ core, vault, inputs: await openInputs([users]), checkpoint: newPath("checkpoint") },
      policy: { onUnusableHash: "bridge", upstream: "auth0" },
    });
    expect(summary).toMatchObject({ imported: 1, created: 1, bridged: 1 });
    expect(summary.notices).not.toHaveProperty("password_not_exported");
    const bridge = openBridge({ vault, core, upstream: vendor.upstream });
    expect(await bridge.verify({ email: ANN, password: passwordOf(ANN) })).toEqual(OK);
    expect(await core.signIn({ email: ANN, password: passwordOf(ANN) })).toMatchObject(OK);
    await bridge.close();
  });

  it("aren't kept where their only way in was a social account", async () => {
    const users = newPath("auth0.json");
    const id = "1049";
    const identity = { provider: "google-oauth2", connection: "google-oauth2", user_id: id };
    const ann = { user_id: `google-oauth2|${id}`, email: ANN, email_verified: true };
    writeFileSync(users, JSON.stringify({ ...ann, identities: [{ ...identity, isSocial: true }] }));
    const core = openEmbeddedCore({ file: newPath("core.db") });
    closing.push(() => core.close());
    const summary = await importUsers({
      ...{ core, vault: { path: newPath("users.vault"), key: VAULT_KEY } },
      ...{ inputs: await openInputs([users]), checkpoint: newPath("checkpoint") },
      policy: { onUnusableHash: "bridge", upstream: "auth0", carry: [] },
    });
    expect(summary).toMatchObject({ bridged: 0, imported: 0, created: 1 });
  });

  it("get their hash from a file that comes late, and without --change-kind only those of the bridge", async () => {
    const [users, hashes] = [newPath("users.ndjson"), newPath("passwords.ndjson")];
    const known = KNOWN_HASHES.bcrypt;
    const connection = "Username-Password-Authentication";
    const own = { connection, provider: "auth0", user_id: "a1", isSocial: false };
    const ann = { user_id: "auth0|a1", email: ANN, email_verified: true, identities: [own] };
    writeFileSync(users, `${JSON.stringify(ann)}\n`);
    const line = { _id: "a1", email: ANN, connection, passwordHash: known.passwordHash };
    writeFileSync(hashes, `${JSON.stringify(line)}\n`);
    for (const isBridged of [true, false]) {
      const core = openEmbeddedCore({ file: newPath("core.db") });
      closing.push(() => core.close());
      const bridge = { onUnusableHash: "bridge", upstream: "auth0" } as const;
      const options = {
        ...{ core, checkpoint: newPath("checkpoint") },
        ...(isBridged && { vault: { path: newPath("users.vault"), key: VAULT_KEY } }),
      };
      const run = async (own: Partial<Policy> = {}, late = false) => {
        const policy = { ...(isBridged ? bridge : {}), ...own };
        const more = late ? { passwordExport: await loadPasswordExport([hashes]) } : {};
        return importUsers({ ...options, ...more, policy, inputs: await openInputs([users]) });
      };
      const signIn = { email: ANN, password: known.password };
      await run();
      await run({}, true);
      expect(await core.signIn(signIn)).toMatchObject(isBridged ? OK : WRONG);
      await run({ changeKind: true }, true);
      expect(await core.signIn(signIn)).toMatchObject(OK);
    }
  });

  it("are neither wrong nor erased while the vendor can't be asked", async () => {
    const { vendor, open } = await bridged();
    const signIn = { email: ANN, password: passwordOf(ANN) };
    const unclear = expect.objectContaining({ code: "outage" });
    const unnamed = open(false);
    await expect(unnamed.verify(signIn)).rejects.toEqual(unclear);
    await unnamed.close();
    const bridge = open();
    await vendor.close();
    closing.pop();
    await expect(bridge.verify(signIn)).rejects.toEqual(unclear);
    expect(bridge.left()).toBe(3);
    await bridge.close();
  });
});
