/** Generating and consuming codes (interface.md 4.1, 4.2) and changing a passwordless user's contacts (4.3). */

import { randomUUID } from "node:crypto";
import type { ConsumeOutcome, ConsumeRequest, Core } from "../core.js";
import { type CoreFailure, refusal } from "../core-failure.js";
import {
  deviceSecretOf,
  linkCodeOf,
  linkDigestOf,
  newCodeSecrets,
  sessionIdOf,
} from "./code-secrets.js";
import { requireContact, requireEmail, requirePhone } from "./contacts.js";
import { addDevices, consumeAll, removeOldDevices } from "./devices.js";
import { joinedAt, type Making } from "./new-user.js";
import type { Consumed, Device, Judgement, Store } from "./store.js";
import { changeContacts } from "./user-changes.js";

/** How often expired devices are removed, in milliseconds. */
const SWEEP_INTERVAL_MS = 60_000;
/** UTF-16 units. */
const MAX_USER_INPUT_CODE = 64;

interface CodeSettings extends Making {
  readonly codeLifetimeMs: number;
  readonly maxCodeInputAttempts: number;
}

/** What was presented for a device: how its link digest follows from the device's salt. */
interface Claim {
  readonly preAuthSessionId: string;
  readonly linkDigest: (salt: Uint8Array) => string;
  readonly byDigits: boolean;
}

export function codeCalls(store: Store, settings: CodeSettings) {
  const { codeLifetimeMs, now, newUserId } = settings;
  const addDevice = store.batched("change", addDevices);
  const consume = store.batched("change", consumeAll);
  let lastSweep = Number.NEGATIVE_INFINITY;

  /** Devices are kept for a second lifetime, so that late digits are answered with "expired". */
  async function sweep(nowMs: number): Promise<void> {
    if (nowMs - lastSweep < SWEEP_INTERVAL_MS) return;
    lastSweep = nowMs;
    await store.change(() => removeOldDevices(nowMs - 2 * codeLifetimeMs));
  }

  return {
    async createCode(request) {
      const contact = requireContact(request);
      const userInputCode = checkedDigits(request.userInputCode);
      const timeCreated = now();
      const { salt, linkDigest, ...shown } = newCodeSecrets(userInputCode);
      const { preAuthSessionId } = shown;
      const device = {
        preAuthSessionId,
        contact,
        salt,
        linkDigest,
        failedAttempts: 0,
        timeCreated,
      };
      await Promise.all([addDevice(device), sweep(timeCreated)]);
      return { ...shown, codeId: randomUUID(), timeCreated, codeLifetime: codeLifetimeMs };
    },

    async consumeCode(request): Promise<ConsumeOutcome> {
      const claim = claimOf(request);
      const nowMs = now();
      const consumed = await consume({
        preAuthSessionId: claim.preAuthSessionId,
        judge: (device) => judge(device, claim, nowMs, settings),
        newUser: { userId: newUserId(nowMs), timeJoined: joinedAt(request, nowMs) },
      });
      return outcomeOf(consumed, settings);
    },

    async updateUser({ userId, ...given }) {
      const email = given.email == null ? given.email : requireEmail(given.email);
      const phoneNumber =
        given.phoneNumber == null ? given.phoneNumber : requirePhone(given.phoneNumber);
      if (email === null && phoneNumber === null) throw noContactLeft();
      const status = await store.change(() => changeContacts({ userId, email, phoneNumber }));
      if (status === null) throw noContactLeft();
      return { status };
    },
  } satisfies Partial<Core>;
}

function judge(
  device: Device,
  claim: Claim,
  nowMs: number,
  { codeLifetimeMs, maxCodeInputAttempts }: CodeSettings,
): Judgement {
  const matches = claim.linkDigest(device.salt) === device.linkDigest;
  const expired = device.timeCreated + codeLifetimeMs <= nowMs;
  if (matches && !expired) return { action: "accept" };
  // A link can't be guessed, so a wrong one is not counted.
  if (!claim.byDigits) return { action: "leave" };
  const failedAttempts = device.failedAttempts + 1;
  if (failedAttempts >= maxCodeInputAttempts) return { action: "end" };
  return { action: "count", reason: matches ? "expired" : "wrong", failedAttempts };
}

function outcomeOf(consumed: Consumed, { maxCodeInputAttempts }: CodeSettings): ConsumeOutcome {
  switch (consumed.action) {
    case "accept":
      return {
        status: "OK",
        createdNewUser: consumed.createdNewUser,
        user: consumed.user,
        consumedDevice: {
          preAuthSessionId: consumed.device.preAuthSessionId,
          failedCodeInputAttemptCount: consumed.device.failedAttempts,
          ...consumed.device.contact,
        },
      };
    case "count":
      return {
        status:
          consumed.reason === "expired"
            ? "EXPIRED_USER_INPUT_CODE_ERROR"
            : "INCORRECT_USER_INPUT_CODE_ERROR",
        failedCodeInputAttemptCount: consumed.failedAttempts,
        maximumCodeInputAttempts: maxCodeInputAttempts,
      };
    default:
      return { status: "RESTART_FLOW_ERROR" };
  }
}

function checkedDigits(userInputCode: string | undefined): string | undefined {
  if (userInputCode === "" || (userInputCode?.length ?? 0) > MAX_USER_INPUT_CODE) {
    throw refusal(`userInputCode must have 1 to ${MAX_USER_INPUT_CODE} characters`);
  }
  return userInputCode;
}

function claimOf(request: ConsumeRequest): Claim {
  const preAuthSessionId = withoutPadding(request.preAuthSessionId, "preAuthSessionId");
  if ("linkCode" in request) {
    const linkDigest = linkDigestOf(withoutPadding(request.linkCode, "linkCode"));
    return { preAuthSessionId, linkDigest: () => linkDigest, byDigits: false };
  }
  const device = deviceSecretOf(request.deviceId);
  if (device === null) throw refusal("deviceId is not base64 of 32 bytes");
  if (sessionIdOf(device) !== preAuthSessionId) {
    throw refusal("preAuthSessionId does not belong to deviceId");
  }
  const { userInputCode } = request;
  return {
    preAuthSessionId,
    linkDigest: (salt) => linkDigestOf(linkCodeOf(device, salt, userInputCode)),
    byDigits: true,
  };
}

/** Some cores pad these; ours doesn't. */
function withoutPadding(text: string, field: string): string {
  const bare = text.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9_-]+$/.test(bare)) throw refusal(`${field} is not base64url`);
  return bare;
}

function noContactLeft(): CoreFailure {
  return refusal("email and phoneNumber: a user must keep one of them");
}
