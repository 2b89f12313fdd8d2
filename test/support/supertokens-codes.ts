/** The codes of the SuperTokens stub, in memory: devices with their digits and links, and the attempts that are counted. */

import { createHash, randomBytes, randomInt, randomUUID } from "node:crypto";
import { type Contact, hasContact } from "./supertokens-users.js";

const MOST_ATTEMPTS = 5;

interface Device {
  readonly deviceId: string;
  readonly preAuthSessionId: string;
  readonly linkCode: string;
  readonly userInputCode: string;
  readonly contact: Contact;
  failedAttempts: number;
}

/** What was presented of a code; the texts as they came. */
export interface Presented {
  readonly preAuthSessionId: string;
  readonly linkCode?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly userInputCode?: string | undefined;
}

export type Consumed =
  | { readonly device: Device }
  | { readonly answer: { readonly status: string } }
  /** The two ids aren't of one device. */
  | "mismatch";

export interface SuperTokensCodes {
  create(contact: Contact, userInputCode: string | undefined): Record<string, unknown>;
  consume(presented: Presented): Consumed;
}

/** @param padded as older versions gave them; they come back only as they were given */
export function superTokensCodes(padded: boolean): SuperTokensCodes {
  const devices = new Map<string, Device>();
  const pad = (text: string): string => (padded ? `${text}=` : text);
  const bare = (text: string): string => (padded ? text : text.replace(/=+$/, ""));

  function count(device: Device): Consumed {
    device.failedAttempts += 1;
    if (device.failedAttempts >= MOST_ATTEMPTS) {
      devices.delete(device.preAuthSessionId);
      return { answer: { status: "RESTART_FLOW_ERROR" } };
    }
    const attempts = {
      failedCodeInputAttemptCount: device.failedAttempts,
      maximumCodeInputAttempts: MOST_ATTEMPTS,
    };
    return { answer: { status: "INCORRECT_USER_INPUT_CODE_ERROR", ...attempts } };
  }

  return {
    create(contact, userInputCode = randomInt(1_000_000).toString().padStart(6, "0")) {
      const secret = randomBytes(32);
      const device: Device = {
        deviceId: secret.toString("base64"),
        preAuthSessionId: pad(createHash("sha256").update(secret).digest("base64url")),
        linkCode: pad(randomBytes(32).toString("base64url")),
        userInputCode,
        contact,
        failedAttempts: 0,
      };
      devices.set(device.preAuthSessionId, device);
      const { deviceId, preAuthSessionId, linkCode } = device;
      return {
        ...{ preAuthSessionId, codeId: randomUUID(), deviceId, userInputCode, linkCode },
        ...{ timeCreated: Date.now(), codeLifetime: 900_000 },
      };
    },
    consume({ preAuthSessionId, linkCode, deviceId, userInputCode }) {
      if (deviceId !== undefined) {
        const digest = createHash("sha256").update(Buffer.from(deviceId, "base64"));
        if (pad(digest.digest("base64url")) !== bare(preAuthSessionId)) return "mismatch";
      }
      const device = devices.get(bare(preAuthSessionId));
      if (device === undefined) return { answer: { status: "RESTART_FLOW_ERROR" } };
      if (linkCode !== undefined && bare(linkCode) !== device.linkCode) {
        return { answer: { status: "RESTART_FLOW_ERROR" } };
      }
      if (linkCode === undefined && userInputCode !== device.userInputCode) return count(device);
      for (const [id, { contact }] of devices) {
        if (hasContact(contact, device.contact)) devices.delete(id);
      }
      return { device };
    },
  };
}
