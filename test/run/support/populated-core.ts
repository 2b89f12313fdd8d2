/** An export whose users meet a core in every way that there is, and that core. */

import type { Core, CodeRequest } from "../../../src/core/core.js";
import type { CoreUser } from "../../../src/core/user.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { bcryptOf } from "./hashes.js";
import type { Row } from "./run.js";
import { ELSEWHERE } from "./run.js";

const HASH = KNOWN_HASHES.bcrypt.passwordHash;

/** What a row is, and who is at the core before. Each gets a number of its own. */
interface Case {
  readonly row: (n: number) => Omit<Row, "id">;
  readonly before?: (core: Core, n: number) => Promise<unknown>;
}

const mail = (n: number): string => `reader.${n}@example.com`;
const idOf = (n: number): string => `v-${n}`;
const phone = (n: number): string => `+1555${String(3_000_000 + n)}`;
const password = (n: number): Omit<Row, "id"> => ({ email: mail(n), hash: bcryptOf(n, "04") });
const signedUp = (core: Core, n: number) => core.importUser({ email: mail(n), passwordHash: HASH });

async function byCode(core: Core, contact: CodeRequest): Promise<string> {
  const { preAuthSessionId, linkCode } = await core.createCode(contact);
  const consumed = await core.consumeCode({ preAuthSessionId, linkCode });
  return consumed.status === "OK" ? consumed.user.userId : "";
}

async function takeId(core: Core, n: number): Promise<void> {
  const passwordHash = HASH;
  const { user } = await core.importUser({ email: `stranger.${n}@example.net`, passwordHash });
  await core.mapUserId({ userId: user.userId, externalUserId: idOf(n) });
}

const CASES: readonly Case[] = [
  { row: password },
  { row: (n) => ({ email: mail(n) }) },
  { row: (n) => ({ phone: phone(n) }) },
  { row: (n) => ({ email: mail(n), phone: phone(n) }) },
  // There by a password, by a code, by both contacts, by one of them.
  { row: password, before: signedUp },
  { row: (n) => ({ email: mail(n) }), before: (core, n) => byCode(core, { email: mail(n) }) },
  {
    row: (n) => ({ email: mail(n), phone: phone(n) }),
    before: async (core, n) => {
      const userId = await byCode(core, { email: mail(n) });
      return core.updateUser({ userId, phoneNumber: phone(n) });
    },
  },
  {
    row: (n) => ({ email: mail(n), phone: phone(n) }),
    before: (core, n) => byCode(core, { email: mail(n) }),
  },
  // The phone is somebody else's, and both contacts are two people's.
  {
    row: (n) => ({ email: mail(n), phone: phone(n) }),
    before: (core, n) => byCode(core, { phoneNumber: phone(n) }),
  },
  {
    row: (n) => ({ email: mail(n), phone: phone(n) }),
    before: async (core, n) => {
      await byCode(core, { phoneNumber: phone(n) });
      await byCode(core, { email: mail(n) });
    },
  },
  // There by another way in.
  { row: password, before: (core, n) => byCode(core, { email: mail(n) }) },
  { row: (n) => ({ email: mail(n) }), before: signedUp },
  { row: (n) => ({ ...password(n), email: `social.${n}@example.com` }) },
  { row: (n) => ({ email: `social.${n}@example.com` }) },
  // Linked accounts: a password and a code behind one user.
  { row: (n) => ({ ...password(n), email: `linked.${n}@example.com` }) },
  { row: (n) => ({ email: `linked.${n}@example.com`, phone: phone(n) }) },
  // Somebody else has the vendor's id.
  { row: password, before: takeId },
  { row: (n) => ({ email: mail(n), phone: phone(n) }), before: takeId },
  // An earlier migration gave them the vendor's id.
  {
    row: password,
    before: async (core, n) => {
      const { user } = await signedUp(core, n);
      await core.mapUserId({ userId: user.userId, externalUserId: idOf(n) });
    },
  },
  // What the vendor never verified.
  { row: (n) => ({ ...password(n), emailVerified: "false" }) },
  { row: (n) => ({ ...password(n), emailVerified: "false" }), before: signedUp },
  { row: (n) => ({ email: mail(n), emailVerified: "false" }) },
  // What can't be read, or stays out.
  { row: (n) => ({ email: mail(n), hash: HASH.slice(0, -3) }) },
  { row: (n) => ({ ...password(n), disabled: "true" }) },
  { row: (n) => ({ ...password(n), disabled: "true" }), before: signedUp },
  { row: () => ({ hash: HASH }) },
  // Claims the contact of a row before.
  { row: (n) => password(n - (n % CASES.length)) },
];

/** @returns rows of every kind in turn */
export function mixedRows(count: number): Row[] {
  return Array.from({ length: count }, (_, n) => ({ id: idOf(n), ...caseOf(n).row(n) }));
}

/** Brings everybody to a core who is there before. */
export async function populate(core: Core, count: number): Promise<void> {
  // Each case has contacts of its own, so that the calls of many share a commit.
  await Promise.all(Array.from({ length: count }, (_, n) => caseOf(n).before?.(core, n)));
}

function caseOf(n: number): Case {
  return CASES[n % CASES.length] ?? { row: password };
}

/** The core with social and linked accounts, which ours doesn't keep, behind a URL and without a queue. */
export function withOtherAccounts(core: Core): Core {
  return {
    ...core,
    target: ELSEWHERE,
    capabilities: async () => ({ ...(await core.capabilities()), bulkImport: false }),
    async findUsers(contact) {
      return [...(await core.findUsers(contact)), ...othersWith(contact.email ?? "")];
    },
    async importUser(request) {
      const user = othersWith(request.email).find(({ recipe }) => recipe === "emailpassword");
      if (user === undefined) return core.importUser(request);
      return { status: "OK", user, didUserAlreadyExist: true };
    },
    updateUser: async (request) =>
      request.userId.startsWith("core-linked") ? { status: "OK" } : core.updateUser(request),
  };
}

function othersWith(email: string): CoreUser[] {
  const [kind, n] = /^(social|linked)\.(\d+)@/.exec(email)?.slice(1) ?? [];
  if (kind === undefined) return [];
  const userId = `core-${kind}-${n}`;
  if (kind === "social") return [{ userId, email, recipe: "other" }];
  return [
    { userId, email, recipe: "emailpassword" },
    { userId, email, recipe: "passwordless", recipeUserId: `${userId}-by-code` },
  ];
}
