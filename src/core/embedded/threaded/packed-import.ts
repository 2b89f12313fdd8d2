/** Imports as lists of bare values: the one frequent call, and objects take three times as long to hand over to a thread. */

import type { ImportOutcome, ImportRequest } from "../../core.js";

export type PackedImport = readonly [
  email: string,
  passwordHash: string,
  hashingAlgorithm: ImportRequest["hashingAlgorithm"],
];

export type PackedOutcome = readonly [
  userId: string,
  email: string,
  timeJoined: number,
  didUserAlreadyExist: boolean,
];

export function packImport(request: ImportRequest): PackedImport {
  return [request.email, request.passwordHash, request.hashingAlgorithm];
}

export function unpackImport([email, passwordHash, algorithm]: PackedImport): ImportRequest {
  if (algorithm === undefined) return { email, passwordHash };
  return { email, passwordHash, hashingAlgorithm: algorithm };
}

/** Of an embedded core, which always tells an imported user's email and time. */
export function packOutcome({ user, didUserAlreadyExist }: ImportOutcome): PackedOutcome {
  const { userId, email = "", timeJoined = 0 } = user;
  return [userId, email, timeJoined, didUserAlreadyExist];
}

export function unpackOutcome(packed: PackedOutcome): ImportOutcome {
  const [userId, email, timeJoined, didUserAlreadyExist] = packed;
  const user = { userId, email, timeJoined, recipe: "emailpassword" } as const;
  return { status: "OK", user, didUserAlreadyExist };
}
