/** Compares what was carried of one user's account with the core: each part that the checkpoint takes for sent. It changes nothing. */

import { isDeepStrictEqual } from "node:util";
import type { CoreUser } from "../core/user.js";
import {
  AGREES,
  type Asking,
  type Difference,
  type DifferenceCode,
  differs,
  type Failed,
  unanswered,
  type Verdict,
} from "./compare-user.js";
import type { Subject } from "./subjects.js";

type Compared = readonly Difference[] | Failed;

/**
 * Compares the parts of a user whom the core has as the checkpoint says. Of second factors only the
 * names are compared, since no core shows a secret.
 *
 * @throws RunError where no further call can succeed
 */
export async function compareAccount(asking: Asking, subject: Subject): Promise<Verdict> {
  const { user, account } = subject;
  // Who was there before this migration has no part of it.
  if (account === null || user.coreId === null || user.outcome === "existed") return AGREES;
  const { coreId } = user;
  const found = await asking.caller.call("lookup", () => asking.core.getUser(coreId));
  if (!found.ok) return unanswered(found);
  if (found.value === null) return { kind: "differs", differences: [differs("user_missing")] };
  const differences: Difference[] = [];
  for (const compare of [compareFacts, compareMetadata, compareRoles, compareDevices]) {
    const compared = await compare(asking, subject, found.value);
    if ("ok" in compared) return unanswered(compared);
    differences.push(...compared);
  }
  return differences.length === 0 ? AGREES : { kind: "differs", differences };
}

const NONE: readonly Difference[] = [];

/** What the core shows with the user: when they joined, and whether their email is verified. */
async function compareFacts(
  { core, caller }: Asking,
  { account, parts, email: brought }: Subject,
  { userId, email, timeJoined, isEmailVerified }: CoreUser,
): Promise<Compared> {
  const joined = account?.joined ?? null;
  const differences = joined === null || joined === timeJoined ? [] : [differs("joined_differs")];
  const [wanted] = parts.verified ?? [];
  if (
    wanted === undefined ||
    email === undefined ||
    email !== brought ||
    (wanted === "yes" && isEmailVerified === true)
  )
    return differences;
  // Not every core shows it with the user.
  const asked = await caller.call("part", () => core.part("isEmailVerified", { userId, email }));
  if (!asked.ok) return asked;
  const isAsWanted = asked.value.isVerified === (wanted === "yes");
  return isAsWanted ? differences : [...differences, differs("verified_differs")];
}

async function compareMetadata(
  { core, caller }: Asking,
  { account, parts }: Subject,
  { userId }: CoreUser,
): Promise<Compared> {
  if (parts.metadata === undefined) return NONE;
  const asked = await caller.call("part", () => core.part("getMetadata", { userId }));
  if (!asked.ok) return asked;
  const { metadata } = asked.value;
  const wanted = account?.metadata ?? {};
  const fields = parts.metadata.filter((name) =>
    name in wanted ? !isDeepStrictEqual(metadata[name], wanted[name]) : !(name in metadata),
  );
  return fields.length === 0 ? NONE : [differs("metadata_differs", fields)];
}

async function compareRoles(
  { core, caller }: Asking,
  { parts }: Subject,
  { userId }: CoreUser,
): Promise<Compared> {
  if (parts.roles === undefined) return NONE;
  const asked = await caller.call("part", () => core.part("rolesOfUser", { userId }));
  return asked.ok ? lacking(parts.roles, asked.value.roles, "roles_differ") : asked;
}

async function compareDevices(
  { core, caller }: Asking,
  { parts }: Subject,
  { userId }: CoreUser,
): Promise<Compared> {
  if (parts.totp === undefined) return NONE;
  const asked = await caller.call("part", () => core.part("listTotpDevices", { userId }));
  if (!asked.ok) return asked;
  const names = asked.value.devices.map(({ name }) => name);
  return lacking(parts.totp, names, "totp_differs");
}

/** The core may have more than this migration brought. */
function lacking(
  wanted: readonly string[],
  there: readonly string[],
  code: DifferenceCode,
): readonly Difference[] {
  return wanted.every((name) => there.includes(name)) ? NONE : [differs(code)];
}
