/** Runs the core contract over every kind of core that there is. */

import { describe, it } from "vitest";
import type { DialectName } from "../../src/core/dialect.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { openThreadedCore } from "../../src/core/embedded/threaded/threaded-core.js";
import { connectCore } from "../../src/core/http/client.js";
import { startCoreServer } from "../../src/core/http/server.js";
import { startSuperTokensStub } from "../support/supertokens-stub.js";
import { startInterfaceStub } from "../support/interface-stub.js";
import { SIGNER_KEY } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { SUPERTOKENS_LACKS, lacksOf } from "./contract/named-core.js";
import { describeCoreContract, type OpenedCore } from "./contract.js";

const API_KEY = "contract-suite-key-0001";
const path = temporaryPaths();

interface Listening {
  readonly url: string;
  importQueued?(): Promise<void>;
  close(): Promise<void>;
}

/** The client on a server of this process, which it takes down with it. */
function connectTo({ url, close, ...job }: Listening, dialect?: DialectName): OpenedCore {
  const core = connectCore({ url, apiKey: API_KEY, connections: 8, dialect });
  return { core, ...job, close: () => core.close().then(close) };
}

async function serveEmbedded(): Promise<Listening> {
  const embedded = openEmbeddedCore({ file: path("core.db"), signerKey: SIGNER_KEY });
  const { url, close } = await startCoreServer(embedded, {
    host: "127.0.0.1",
    port: 0,
    apiKeys: [API_KEY],
    queueIntervalMs: null,
  });
  const { importQueued } = embedded;
  return { url, importQueued, close: () => close().then(() => embedded.close()) };
}

describeCoreContract("embedded", async () => {
  const core = openEmbeddedCore({ file: path("core.db"), signerKey: SIGNER_KEY });
  return { core, close: () => core.close() };
});

describeCoreContract("embedded, on a thread of its own", async () => {
  const core = await openThreadedCore({ file: path("core.db"), signerKey: SIGNER_KEY });
  return { core, close: () => core.close() };
});

const OVER_HTTP = "no call over the wire takes it";
describeCoreContract(
  "over HTTP to the embedded one",
  async () => connectTo(await serveEmbedded()),
  { timeJoined: OVER_HTTP, accounts: OVER_HTTP, guardedHashes: OVER_HTTP },
);

describeCoreContract(
  "over HTTP to the embedded one, in the dialect supertokens",
  async () => connectTo(await serveEmbedded(), "supertokens"),
  { timeJoined: OVER_HTTP, accounts: OVER_HTTP, guardedHashes: OVER_HTTP },
);

const STUB = "this stub has interface.md's four endpoints and takes what comes";
describeCoreContract(
  "over HTTP to a stub with interface.md's four endpoints",
  async () => connectTo(await startInterfaceStub({ apiKey: API_KEY })),
  {
    ...{ lookups: STUB, signIn: STUB, mapping: STUB, digits: STUB, strictCodes: STUB },
    ...{ removal: STUB, signInMark: STUB, metadata: STUB, roles: STUB },
    ...{ verification: STUB, totp: STUB, thirdParty: STUB },
    ...{ timeJoined: STUB, accounts: STUB, guardedHashes: STUB, queue: STUB },
    ...{ normalizedContacts: STUB, strictContacts: STUB, strictHashes: STUB },
  },
);

describeCoreContract(
  "over HTTP to a stub of SuperTokens",
  async () => connectTo(await startSuperTokensStub({ apiKey: API_KEY, signerKey: SIGNER_KEY })),
  {
    ...SUPERTOKENS_LACKS,
    totp: "this stub takes second factors only where a test says so, and asks none",
    timeJoined: OVER_HTTP,
    accounts: OVER_HTTP,
    guardedHashes: OVER_HTTP,
    queue: "this stub has no queue",
  },
);

const { AUTH_MIGRATE_TEST_CORE: named, AUTH_MIGRATE_TEST_API_KEY: apiKey = null } = process.env;
if (named === undefined) {
  describe("the core contract: named by AUTH_MIGRATE_TEST_CORE", () => {
    it.skip("no core is named");
  });
} else {
  const core = connectCore({ url: named, apiKey, connections: 8, allowInsecure: true });
  const lacks = await lacksOf(core);
  const { name } = await core.dialect();
  describeCoreContract(
    `named by AUTH_MIGRATE_TEST_CORE, of the dialect ${name}`,
    async () => ({ core, close: () => core.close() }),
    lacks,
  );
}
