/** TOTP devices: made here or imported, verified, and asked at a sign-in. A code is good once; five wrong ones in a row end the asking for a quarter of an hour, as at SuperTokens. */

import { randomBytes } from "node:crypto";
import type { AccountTotpDevice } from "../../account-import.js";
import type { PartHandlers, PartOutcome, PartRequest } from "../../account-parts.js";
import { refusal } from "../../core-failure.js";
import { boundedNumber, boundedText } from "../bounds.js";
import { ask, found, type Script } from "../script.js";
import type { Store } from "../store.js";
import { base32Letters, stepOf, toBase32 } from "./totp-code.js";

/** RFC 4226 section 4 recommends 160 bits. */
const SECRET_BYTES = 20;
/** As SuperTokens' columns. */
const MAX_TEXT = 256;
const MAX_PERIOD_S = 86_400;
/** Each period more is a code more to compare. */
const MAX_SKEW = 100;
const MAX_FAILURES = 5;
const COOLDOWN_MS = 900_000;
const CODE = /^\d{6}$/;
const ALREADY_EXISTS = { status: "DEVICE_ALREADY_EXISTS_ERROR" } as const;
const UNKNOWN_DEVICE = { status: "UNKNOWN_DEVICE_ERROR" } as const;

export function totpCalls({ read, change }: Store, now: () => number) {
  return {
    async createTotpDevice(request) {
      const secret = toBase32(randomBytes(SECRET_BYTES));
      const device = { ...request, secretKey: secret, isVerified: false };
      requireDevice(device);
      const deviceName = await change(() => add(device, now()));
      return deviceName === null ? ALREADY_EXISTS : { status: "OK", deviceName, secret };
    },
    async importTotpDevice(request) {
      requireDevice(request);
      const deviceName = await change(() => add({ ...request, isVerified: true }, now()));
      return deviceName === null ? ALREADY_EXISTS : { status: "OK", deviceName };
    },
    async listTotpDevices({ userId }) {
      const devices = await read(() => devicesOf(userId));
      return {
        status: "OK",
        devices: devices.map(({ secret: _, lastStep: __, ...shown }) => shown),
      };
    },
    async renameTotpDevice(request) {
      boundedText("newDeviceName", request.newDeviceName, MAX_TEXT);
      return change(() => rename(request));
    },
    removeTotpDevice: ({ userId, deviceName }) =>
      change(function* () {
        const didDeviceExist = yield* found(
          "DELETE FROM auth_core.totp_devices WHERE user_id = $1 AND name = $2 RETURNING name",
          userId,
          deviceName,
        );
        return { status: "OK", didDeviceExist } as const;
      }),
    async verifyTotpDevice({ userId, deviceName, totp }) {
      requireCode(totp);
      return change(function* () {
        const [device] = (yield* devicesOf(userId)).filter(({ name }) => name === deviceName);
        if (device === undefined) return UNKNOWN_DEVICE;
        if (device.verified) return { status: "OK", wasAlreadyVerified: true } as const;
        const outcome = yield* attempt(userId, [device], totp, now());
        return outcome.status === "OK" ? { ...outcome, wasAlreadyVerified: false } : outcome;
      });
    },
    async verifyTotp({ userId, totp }) {
      requireCode(totp);
      return change(function* () {
        const devices = (yield* devicesOf(userId)).filter(({ verified }) => verified);
        if (devices.length === 0) return { status: "UNKNOWN_USER_ID_ERROR" } as const;
        return yield* attempt(userId, devices, totp, now());
      });
    },
  } satisfies Partial<PartHandlers>;
}

interface Device {
  readonly name: string;
  readonly secret: string;
  readonly period: number;
  readonly skew: number;
  readonly verified: boolean;
  /** The newest period whose code was taken; -1 before the first. */
  readonly lastStep: number;
}

function* devicesOf(userId: string): Script<Device[]> {
  const rows = yield* ask<readonly [string, string, number, number, number, number]>(
    `SELECT name, secret, period, skew, verified, last_step FROM auth_core.totp_devices
     WHERE user_id = $1 ORDER BY created_at, name`,
    userId,
  );
  return rows.map(([name, secret, period, skew, verified, lastStep]) => ({
    name,
    secret,
    period,
    skew,
    verified: verified === 1,
    lastStep,
  }));
}

type NewDevice = PartRequest<"importTotpDevice"> & { readonly isVerified: boolean };

/** The device's name; null where a verified one has it. One that was never verified is replaced. */
export function* add(device: NewDevice, nowMs: number): Script<string | null> {
  const { userId, deviceName, secretKey, period, skew, isVerified } = device;
  const there = yield* devicesOf(userId);
  const verified = there.filter((one) => one.verified).map(({ name }) => name);
  const name = deviceName ?? freeName(verified);
  const isNew = yield* found(
    `INSERT INTO auth_core.totp_devices AS mine
       (user_id, name, secret, period, skew, verified, last_step, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, -1, $7)
     ON CONFLICT (user_id, name) DO UPDATE SET secret = excluded.secret,
       period = excluded.period, skew = excluded.skew, verified = excluded.verified
     WHERE mine.verified = 0 RETURNING name`,
    userId,
    name,
    secretKey,
    period,
    skew,
    isVerified ? 1 : 0,
    nowMs,
  );
  return isNew ? name : null;
}

/** As SuperTokens names devices. */
export function freeName(taken: readonly string[]): string {
  let number = taken.length;
  while (taken.includes(`TOTP Device ${number}`)) number += 1;
  return `TOTP Device ${number}`;
}

function* rename({
  userId,
  existingDeviceName,
  newDeviceName,
}: PartRequest<"renameTotpDevice">): Script<PartOutcome<"renameTotpDevice">> {
  const names = (yield* devicesOf(userId)).map(({ name }) => name);
  if (!names.includes(existingDeviceName)) return UNKNOWN_DEVICE;
  if (existingDeviceName === newDeviceName) return { status: "OK" };
  if (names.includes(newDeviceName)) return ALREADY_EXISTS;
  yield* ask(
    "UPDATE auth_core.totp_devices SET name = $1 WHERE user_id = $2 AND name = $3",
    newDeviceName,
    userId,
    existingDeviceName,
  );
  return { status: "OK" };
}

type Attempt = Exclude<PartOutcome<"verifyTotp">, { readonly status: "UNKNOWN_USER_ID_ERROR" }>;

/** The row of failures is written first, as it is: that locks it, so that of two equal codes at once one counts. */
function* attempt(
  userId: string,
  devices: readonly Device[],
  code: string,
  nowMs: number,
): Script<Attempt> {
  const [row] = yield* ask<readonly [number, number]>(
    `INSERT INTO auth_core.totp_failures AS mine (user_id, failed, failed_at) VALUES ($1, 0, 0)
     ON CONFLICT (user_id) DO UPDATE SET failed = mine.failed RETURNING failed, failed_at`,
    userId,
  );
  const [failed = 0, failedAt = 0] = row ?? [];
  const waited = nowMs - failedAt;
  const limits = { maxNumberOfFailedAttempts: MAX_FAILURES };
  if (failed >= MAX_FAILURES && waited < COOLDOWN_MS) {
    return {
      status: "LIMIT_REACHED_ERROR",
      retryAfterMs: COOLDOWN_MS - waited,
      currentNumberOfFailedAttempts: failed,
      ...limits,
    };
  }
  if (yield* isTaken(userId, devices, code, nowMs)) {
    yield* setFailures(userId, 0, 0);
    return { status: "OK" };
  }
  const number = failed >= MAX_FAILURES ? 1 : failed + 1;
  yield* setFailures(userId, number, nowMs);
  return { status: "INVALID_TOTP_ERROR", currentNumberOfFailedAttempts: number, ...limits };
}

/** Whether one of the devices shows the code, for the first time (RFC 6238 section 5.2). The device counts as verified then. */
function* isTaken(
  userId: string,
  devices: readonly Device[],
  code: string,
  nowMs: number,
): Script<boolean> {
  for (const device of devices) {
    const step = stepOf(device, code, nowMs);
    if (step === null) continue;
    const isFirst = yield* found(
      `UPDATE auth_core.totp_devices SET verified = 1, last_step = $1
       WHERE user_id = $2 AND name = $3 AND last_step < $4 RETURNING name`,
      step,
      userId,
      device.name,
      step,
    );
    if (isFirst) return true;
  }
  return false;
}

function* setFailures(userId: string, failed: number, atMs: number): Script<void> {
  yield* ask(
    "UPDATE auth_core.totp_failures SET failed = $1, failed_at = $2 WHERE user_id = $3",
    failed,
    atMs,
    userId,
  );
}

/** No message repeats what it refuses: the secret is one. */
export function requireDevice({ deviceName, secretKey, period, skew }: AccountTotpDevice): void {
  if (deviceName !== undefined) boundedText("deviceName", deviceName, MAX_TEXT);
  if (secretKey.length > MAX_TEXT || base32Letters(secretKey) === null) {
    throw refusal(`secretKey is not Base32 of at most ${MAX_TEXT} letters`);
  }
  boundedNumber("period", period, 1, MAX_PERIOD_S);
  boundedNumber("skew", skew, 0, MAX_SKEW);
}

function requireCode(totp: string): void {
  if (!CODE.test(totp)) throw refusal("totp must be 6 digits");
}
