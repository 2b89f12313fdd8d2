/** Runs the core contract over every kind of core that there is. */

import { describe, it } from "vitest";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { connectCore } from "../../src/core/http/client.js";
import { startCoreServer } from "../../src/core/http/server.js";
import { startInterfaceStub } from "../support/interface-stub.js";
import { SIGNER_KEY } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { describeCoreContract } from "./contract.js";

const API_KEY = "contract-suite-key-0001";
const EVERYTHING = {
  lookups: true,
  signIn: true,
  digits: true,
  strictHashes: true,
  signerKey: true,
};
const path = temporaryPaths();

describeCoreContract(
  "embedded",
  async () => {
    const core = openEmbeddedCore({ file: path("core.db"), signerKey: SIGNER_KEY });
    return { core, close: () => core.close() };
  },
  EVERYTHING,
);

describeCoreContract(
  "over HTTP to the embedded one",
  async () => {
    const embedded = openEmbeddedCore({ file: path("core.db"), signerKey: SIGNER_KEY });
    const server = await startCoreServer(embedded, {
      host: "127.0.0.1",
      port: 0,
      apiKeys: [API_KEY],
    });
    const core = connectCore({ url: server.url, apiKey: API_KEY, connections: 8 });
    return {
      core,
      async close() {
        await core.close();
        await server.close();
        await embedded.close();
      },
    };
  },
  EVERYTHING,
);

describeCoreContract(
  "over HTTP to a stub with interface.md's four endpoints",
  async () => {
    const stub = await startInterfaceStub({ apiKey: API_KEY });
    const core = connectCore({ url: stub.url, apiKey: API_KEY, connections: 8 });
    return {
      core,
      async close() {
        await core.close();
        await stub.close();
      },
    };
  },
  { lookups: false, signIn: false, digits: false, strictHashes: false, signerKey: true },
);

const named = process.env.AUTH_MIGRATE_TEST_CORE;
if (named === undefined) {
  describe("the core contract: named by AUTH_MIGRATE_TEST_CORE", () => {
    it.skip("no core is named");
  });
} else {
  describeCoreContract(
    "named by AUTH_MIGRATE_TEST_CORE",
    async () => {
      const apiKey = process.env.AUTH_MIGRATE_TEST_API_KEY ?? null;
      const core = connectCore({ url: named, apiKey, connections: 8, allowInsecure: true });
      return { core, close: () => core.close() };
    },
    { ...EVERYTHING, strictHashes: false, signerKey: false },
  );
}
