/** A gate in front of a served core: it lets so many calls through, then holds every call until it is opened. Tests act while it holds, so that they need no luck. */

import { startHttp } from "../support/canned-server.js";
import { runCli, type ServedCore, serveHere, startCli } from "../support/cli.js";
import { HASH_CONFIG, IMPORT_SMALL, writeSmallExport } from "./support.js";

export interface GateCall {
  readonly path: string;
  readonly body: string;
}

export interface Gate {
  readonly url: string;
  /** Every call that the core was asked, in order. */
  readonly calls: readonly GateCall[];
  /** Resolves when the first call is held. */
  readonly holding: Promise<void>;
  open(): void;
  close(): Promise<void>;
}

/** The first call of a user of whom an intent is durable, whoever else is looked up meanwhile. */
export const isFirstCall = (path: string): boolean => /\/code$|\/passwordhash\//.test(path);

/**
 * @param letThrough calls before the gate shuts
 * @param counts whether a call to this path is one of them; every call by default
 */
export async function startGate(
  core: ServedCore,
  letThrough: number,
  counts: (path: string) => boolean = () => true,
): Promise<Gate> {
  const calls: GateCall[] = [];
  const opened = signal();
  const holding = signal();
  let arrived = 0;
  const server = await startHttp(async (request, response, body) => {
    const { method = "", url = "", headers } = request;
    if (counts(url)) arrived += 1;
    if (arrived > letThrough) {
      holding.give();
      await opened.given;
    }
    calls.push({ path: url, body });
    const answer = await fetch(core.url + url, {
      method,
      headers: { "api-key": String(headers["api-key"]), rid: String(headers.rid) },
      ...(method === "GET" ? {} : { body }),
    }).catch(() => null);
    // The core has been stopped, and the caller killed.
    if (answer === null) {
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(await answer.text());
  });
  return {
    url: server.url,
    calls,
    holding: holding.given,
    open: opened.give,
    close: () => server.close(),
  };
}

export type GatedImport = Awaited<ReturnType<typeof gatedImport>>;

interface Gated {
  readonly letThrough: number;
  readonly counts?: (path: string) => boolean;
  /** Of the import, up to the target. */
  readonly words?: readonly string[];
}

/** An import of the small export into a served core, through a gate: to be started, or run to its end. */
export async function gatedImport(
  newFolder: () => string,
  { letThrough, counts, words = IMPORT_SMALL }: Gated,
) {
  const cwd = newFolder();
  writeSmallExport(cwd);
  const core = await serveHere({ cwd: newFolder(), args: ["--hash-config", HASH_CONFIG] });
  const gate = await startGate(core, letThrough, counts);
  const args = [...words, "--core", gate.url];
  const options = { cwd, env: { AUTH_MIGRATE_API_KEY: core.apiKey } };
  return {
    cwd,
    core,
    gate,
    start: (...more: string[]) => startCli([...args, ...more], options),
    run: (...more: string[]) => runCli([...args, ...more], options),
    async close() {
      gate.open();
      await gate.close();
      await core.stop();
    },
  };
}

function signal(): { readonly given: Promise<void>; give(): void } {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}
