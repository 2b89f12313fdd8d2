/** The passwordless endpoints (interface.md 4.1 to 4.3): what each reads of a request and says of the core's answer. */

import type { IncomingMessage } from "node:http";
import { exactlyOneContact } from "../contact-choice.js";
import type { Core } from "../core.js";
import { refusal } from "../core-failure.js";
import { BODIES, bodyOf } from "./request.js";
import { userJson } from "./user-json.js";

export async function createCode(
  core: Core,
  request: IncomingMessage,
): Promise<Record<string, unknown>> {
  const { userInputCode, ...contacts } = await bodyOf(request, BODIES.createCode);
  const contact = exactlyOneContact(contacts);
  const code = await core.createCode(
    userInputCode === undefined ? contact : { ...contact, userInputCode },
  );
  return { status: "OK", ...code };
}

export async function consumeCode(
  core: Core,
  request: IncomingMessage,
): Promise<Record<string, unknown>> {
  const body = await bodyOf(request, BODIES.consumeCode);
  const { preAuthSessionId, linkCode, deviceId, userInputCode } = body;
  const byDigits = deviceId !== undefined && userInputCode !== undefined;
  const digitsTouched = deviceId !== undefined || userInputCode !== undefined;
  if ((linkCode === undefined && !byDigits) || (linkCode !== undefined && digitsTouched)) {
    throw refusal("give either linkCode, or deviceId and userInputCode");
  }
  const outcome = await core.consumeCode(
    linkCode === undefined
      ? { preAuthSessionId, deviceId: deviceId ?? "", userInputCode: userInputCode ?? "" }
      : { preAuthSessionId, linkCode },
  );
  if (outcome.status !== "OK") return { ...outcome };
  const { user, ...rest } = outcome;
  return { ...rest, user: userJson(user), recipeUserId: user.userId };
}

export async function updateUser(
  core: Core,
  request: IncomingMessage,
): Promise<Record<string, unknown>> {
  // The public counterpart takes a request without it for an email-password user's.
  if (request.headers.rid !== "passwordless") {
    throw refusal("rid: this endpoint takes the header rid: passwordless only");
  }
  const body = await bodyOf(request, BODIES.updateUser);
  const { email, phoneNumber } = body;
  const outcome = await core.updateUser({
    userId: theUserId(body),
    ...(email === undefined ? {} : { email }),
    ...(phoneNumber === undefined ? {} : { phoneNumber }),
  });
  return { ...outcome };
}

/** interface.md calls it `userId`, its public counterpart `recipeUserId`; callers of either kind may send both. */
function theUserId({
  userId,
  recipeUserId,
}: {
  readonly userId?: string | undefined;
  readonly recipeUserId?: string | undefined;
}): string {
  const id = userId ?? recipeUserId;
  if (id === undefined) throw refusal("userId: expected a string");
  if (recipeUserId !== undefined && recipeUserId !== id) {
    throw refusal("userId and recipeUserId: name one user, not two");
  }
  return id;
}
