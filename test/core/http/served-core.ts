/** A core behind a real socket of its own for a test file, and its answers as JSON. */

import { afterAll } from "vitest";
import type { Core } from "../../../src/core/core.js";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { startCoreServer } from "../../../src/core/http/server.js";
import { SIGNER_KEY } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { type Received, sendRequest } from "./send-request.js";

export const KEY = "server-suite-key-0001";
export const OTHER_KEY = "server-suite-key-0002";

export const CODE = "/recipe/signinup/code";
export const CONSUME = "/recipe/signinup/code/consume";
export const UPDATE = "/recipe/user";
export const IMPORT = "/recipe/user/passwordhash/import";
export const MAP = "/recipe/userid/map";

export interface Answered extends Received {
  /** Empty where the answer is no JSON object. */
  readonly json: Record<string, unknown>;
}

/** A body that is no string or bytes goes as JSON; without headers the key goes alone. */
export type Ask = (
  method: string,
  target: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answered>;

export interface ServedCore {
  readonly core: Core;
  readonly url: string;
  readonly ask: Ask;
}

/** Asks a server. */
export function asker(url: string): Ask {
  return async (method, target, body, headers = { "api-key": KEY }) => {
    const bytes =
      body === undefined || typeof body === "string" || Buffer.isBuffer(body)
        ? body
        : JSON.stringify(body);
    const received = await sendRequest(url, method, target, headers, bytes);
    const json = received.text.startsWith("{") ? JSON.parse(received.text) : {};
    return { ...received, json };
  };
}

/**
 * Serves an embedded core until the test file is over.
 * @param change makes another core of it
 */
export async function serveCore(
  change: (core: Core) => Core = (core) => core,
  signerKey: string | null = SIGNER_KEY,
): Promise<ServedCore> {
  const path = temporaryPaths();
  const embedded = openEmbeddedCore({ file: path("core.db"), signerKey });
  const core = change(embedded);
  const server = await startCoreServer(core, {
    host: "127.0.0.1",
    port: 0,
    apiKeys: [OTHER_KEY, KEY],
    queueIntervalMs: null,
  });
  afterAll(async () => {
    await server.close();
    await embedded.close();
  });
  return { core, url: server.url, ask: asker(server.url) };
}
