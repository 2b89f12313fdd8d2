/** The core contract on PostgreSQL: in this process, behind HTTP, and by two processes on one database. */

import type { Core } from "../../../src/core/core.js";
import { openPostgresCore } from "../../../src/core/embedded/postgres/postgres-core.js";
import { connectCore } from "../../../src/core/http/client.js";
import { startCoreServer } from "../../../src/core/http/server.js";
import { workFolders } from "../../cli/support.js";
import { describeCoreContract } from "../../core/contract.js";
import { startServe } from "../../support/cli.js";
import { SIGNER_KEY } from "../../support/known-hashes.js";
import { postgresServer } from "../support/postgres.js";

const OVER_HTTP = "no call over the wire takes it";
const API_KEY = "contract-suite-key-0001";
const server = postgresServer();
const workFolder = workFolders();

async function openCore() {
  const { settings } = await server.database();
  return openPostgresCore({ database: settings, signerKey: SIGNER_KEY });
}

describeCoreContract("embedded, on PostgreSQL", async () => {
  const core = await openCore();
  return { core, close: () => core.close() };
});

describeCoreContract(
  "over HTTP to the embedded one on PostgreSQL",
  async () => {
    const embedded = await openCore();
    const { url, close } = await startCoreServer(embedded, {
      ...{ host: "127.0.0.1", port: 0, apiKeys: [API_KEY] },
      queueIntervalMs: null,
    });
    const core = connectCore({ url, apiKey: API_KEY, connections: 8 });
    const { importQueued } = embedded;
    return { core, importQueued, close: () => core.close().then(close).then(embedded.close) };
  },
  { timeJoined: OVER_HTTP, accounts: OVER_HTTP, guardedHashes: OVER_HTTP },
);

/** Every call goes to the other one of two cores. */
function inTurn(one: Core, other: Core): Core {
  let calls = 0;
  const next = (): Core => {
    calls += 1;
    return calls % 2 === 0 ? one : other;
  };
  return {
    target: one.target,
    createCode: (request) => next().createCode(request),
    consumeCode: (request) => next().consumeCode(request),
    updateUser: (request) => next().updateUser(request),
    importUser: (request) => next().importUser(request),
    importAccount: (request) => next().importAccount(request),
    queueAccounts: (accounts) => next().queueAccounts(accounts),
    listQueued: (page) => next().listQueued(page),
    replacePassword: (request) => next().replacePassword(request),
    signIn: (request) => next().signIn(request),
    mapUserId: (request) => next().mapUserId(request),
    findMapping: (userId) => next().findMapping(userId),
    getUser: (userId) => next().getUser(userId),
    removeUser: (userId) => next().removeUser(userId),
    findUsers: (contact) => next().findUsers(contact),
    listUsers: (page) => next().listUsers(page),
    countUsers: (filter) => next().countUsers(filter),
    signInUp: (request) => next().signInUp(request),
    findByThirdParty: (identity) => next().findByThirdParty(identity),
    capabilities: () => next().capabilities(),
    part: (name, request) => next().part(name, request),
    probe: () => next().probe(),
    close: async () => {
      await Promise.all([one.close(), other.close()]);
    },
  };
}

describeCoreContract(
  "over HTTP to two processes on one database, in turn",
  async () => {
    const { url, env } = await server.database();
    const serve = () =>
      startServe({
        cwd: workFolder(),
        args: ["--data", url],
        env: { ...env, VENDOR_PASSWORD_HASHING_SIGNER_KEY: SIGNER_KEY },
      });
    const both = await Promise.all([serve(), serve()]);
    const [one, other] = both.map(({ url, apiKey }) =>
      connectCore({ url, apiKey, connections: 8 }),
    );
    if (one === undefined || other === undefined) throw new Error("there are two");
    const core = inTurn(one, other);
    const stop = () => Promise.all(both.map((served) => served.stop()));
    return {
      core,
      close: () =>
        core
          .close()
          .then(stop)
          .then(() => {}),
    };
  },
  {
    ...{ timeJoined: OVER_HTTP, accounts: OVER_HTTP, guardedHashes: OVER_HTTP },
    queue: "its job goes by the clock",
  },
);
