/** The endpoints of email-password users (interface.md 4.4 and the sign-in beyond it). Names of algorithms are understood in every dialect. */

import type { IncomingMessage } from "node:http";
import { hashAlgorithmOf } from "../../hash/algorithm.js";
import type { HashAlgorithm } from "../../hash/hash.js";
import type { Core, ImportOutcome, ImportRequest } from "../core.js";
import { CoreFailure, refusal } from "../core-failure.js";
import { DIALECTS } from "../dialect.js";
import { BODIES, bodyOf } from "./request.js";
import { userJson } from "./user-json.js";

/** What `hashingAlgorithm` may say. The public counterpart takes the last two; interface.md leaves them out. */
const ALGORITHMS: ReadonlyMap<string, HashAlgorithm> = new Map([
  [DIALECTS.interface.vendorScrypt, "vendor_scrypt"],
  [DIALECTS.supertokens.vendorScrypt, "vendor_scrypt"],
  ["bcrypt", "bcrypt"],
  ["argon2", "argon2"],
]);

export async function importUser(
  core: Core,
  request: IncomingMessage,
): Promise<Record<string, unknown>> {
  const { email, passwordHash, hashingAlgorithm } = await bodyOf(request, BODIES.importUser);
  const name = hashingAlgorithm?.trim().toLowerCase();
  const announced = announcedAlgorithm(name, passwordHash.trim());
  const user = { email, passwordHash };
  const outcome = await imported(
    core,
    announced === "vendor_scrypt" ? { ...user, hashingAlgorithm: announced } : user,
    name,
  );
  return { ...outcome, user: userJson(outcome.user) };
}

export async function signIn(
  core: Core,
  request: IncomingMessage,
): Promise<Record<string, unknown>> {
  const outcome = await core.signIn(await bodyOf(request, BODIES.signIn));
  if (outcome.status !== "OK") return { ...outcome };
  return { status: "OK", user: userJson(outcome.user), recipeUserId: outcome.user.userId };
}

/** The core itself looks whether an announced vendor scrypt hash is one (interface.md 4.4). */
function announcedAlgorithm(
  name: string | undefined,
  passwordHash: string,
): HashAlgorithm | undefined {
  if (name === undefined) return undefined;
  const announced = ALGORITHMS.get(name);
  if (announced === undefined) {
    throw refusal(`hashingAlgorithm: expected ${[...ALGORITHMS.keys()].join(" or ")}`);
  }
  if (announced !== "vendor_scrypt" && hashAlgorithmOf(passwordHash) !== announced) {
    throw refusal(`passwordHash: hashingAlgorithm says ${announced}, and this hash is none`);
  }
  return announced;
}

/** A caller that speaks the counterpart's dialect looks for the counterpart's name of the field. */
async function imported(
  core: Core,
  request: ImportRequest,
  name: string | undefined,
): Promise<ImportOutcome> {
  try {
    return await core.importUser(request);
  } catch (error) {
    const { vendorScrypt, signerKeyField } = DIALECTS.supertokens;
    if (!(error instanceof CoreFailure && error.kind === "signer_key_missing")) throw error;
    if (name !== vendorScrypt) throw error;
    const message = `${error.message}, which may also be called ${signerKeyField}`;
    throw new CoreFailure("signer_key_missing", message, { reached: "yes", cause: error });
  }
}
