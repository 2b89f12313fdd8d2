/** A core whose answers come in another order than its calls. */

import type { Core } from "../../../src/core/core.js";

/** Answers each call after a few turns of the event loop, as many as `turns` says in its turn. */
export function shuffled(core: Core, turns: readonly number[]): Core {
  let call = 0;
  const later = async <T>(work: () => Promise<T>): Promise<T> => {
    call += 1;
    for (let left = turns[call % turns.length] ?? 0; left > 0; left -= 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return work();
  };
  return {
    ...core,
    findUsers: (contact) => later(() => core.findUsers(contact)),
    getUser: (userId) => later(() => core.getUser(userId)),
    importUser: (request) => later(() => core.importUser(request)),
    createCode: (request) => later(() => core.createCode(request)),
    consumeCode: (request) => later(() => core.consumeCode(request)),
    updateUser: (request) => later(() => core.updateUser(request)),
  };
}
