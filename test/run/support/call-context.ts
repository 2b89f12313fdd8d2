/** What applying a plan needs, around a scripted core. */

import type { CallContext } from "../../../src/run/call-context.js";
import { removalCheck } from "../../../src/run/look-up.js";
import { createDigester } from "../../../src/plan/digests.js";
import { Caller } from "../../../src/calls/caller.js";
import { NOTHING_CARRIED } from "../../../src/plan/carried.js";
import { DEFAULT_POLICY, type Policy } from "../../../src/plan/policy.js";
import { Tally } from "../../../src/events/tally.js";
import { type Script, type ScriptedCore, scriptedCore } from "./scripted-core.js";
import { virtualTiming } from "./virtual-timing.js";

export interface ScriptedContext extends CallContext {
  readonly core: ScriptedCore;
}

/** @param signal stops the run */
export function scriptedContext(
  script: Script,
  policy: Partial<Policy> = {},
  signal: AbortSignal = new AbortController().signal,
): ScriptedContext {
  const timing = virtualTiming();
  const core = scriptedCore(script);
  const caller = new Caller(new Tally(), timing, signal);
  return {
    ...{ core, caller },
    removes: removalCheck(core, caller),
    digester: createDigester("salt"),
    now: timing.now,
    carried: NOTHING_CARRIED,
    notKept: new Map(),
    policy: { ...DEFAULT_POLICY, ...policy },
    cutOver: false,
    wasEmpty: policy.assumeEmpty === true,
    looksUp: policy.assumeEmpty !== true,
    ids: { claimId: () => null },
  };
}
