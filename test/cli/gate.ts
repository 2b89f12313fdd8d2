/** A gate in front of a served core: it lets so many calls through, then holds every call until it is opened. Tests act while it holds, so that they need no luck. */

import { startHttp } from "../support/canned-server.js";
import type { ServedCore } from "../support/cli.js";

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

function signal(): { readonly given: Promise<void>; give(): void } {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}
