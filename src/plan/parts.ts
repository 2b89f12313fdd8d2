/** The parts of an account beside contacts and hash: what is to be sent of them, by the plan, by what the checkpoint keeps of earlier runs and by the run's rules. Pure. */

import type { Carried } from "./carried.js";
import type { Digester, Key } from "./digests.js";
import type { SentPlan } from "./plan.js";
import { MAPPED, type Mapped, PART, type PartState, STATE, type State } from "./states.js";

/** The parts that can be sent anew, in the order in which they are sent. */
export const SENT_PARTS = ["verified", "metadata", "roles", "totp"] as const;

export type SentPart = (typeof SENT_PARTS)[number];

/** What a part is to be. */
interface PartKey {
  /** Salted; equal for what needs no second call. Empty where there is to be nothing. */
  readonly digest: string;
  /** What it consists of: fields, roles, devices; of a verification `yes`. */
  readonly names: readonly string[];
}

export type PartKeys = Readonly<Partial<Record<SentPart, PartKey>>>;

/** What the checkpoint keeps of a part. */
export interface PartNote extends PartKey {
  readonly state: PartState;
}

export type PartNotes = Readonly<Partial<Record<SentPart, PartNote>>>;

/** A part that is to be sent. */
export interface PartWork {
  readonly part: SentPart;
  /** The names that the core doesn't have yet, as far as is known. */
  readonly come: readonly string[];
  /** Those that an earlier run gave, or may have given, and that the plan doesn't have. */
  readonly gone: readonly string[];
}

const VERIFIED: readonly string[] = ["yes"];
const NO_NAMES: readonly string[] = [];

/** Nothing is sent. */
export const NO_PARTS: PartKeys = {};

/** Nothing is to be sent. */
export const NO_WORK: readonly PartWork[] = [];

/**
 * The keys of what a plan sends beside contacts and hash.
 *
 * @param contacts of the user at the core; the email of who is brought by a social account is none
 */
export function partKeys(
  plan: SentPlan,
  contacts: readonly { readonly kind: string; readonly key: Key }[],
  digester: Pick<Digester, "contact" | "part" | "verification" | "list" | "names">,
): PartKeys {
  const { account } = plan;
  if (account === null) return NO_PARTS;
  const { verified, metadata, roles, totp } = account;
  const keys: { -readonly [Part in keyof PartKeys]: PartKeys[Part] } = {};
  if (verified === true) {
    const [one, other] = contacts;
    const own = one?.kind === "email" ? one.key : (other?.key ?? "");
    const email = plan.kind === "thirdparty" ? digester.contact("email", plan.email) : own;
    if (email !== "") keys.verified = { digest: digester.verification(email), names: VERIFIED };
  } else if (verified === false && plan.kind === "passwordless" && plan.first === "email") {
    // The code verifies the email that it is sent to, whatever the vendor says.
    keys.verified = NOTHING;
  }
  if (metadata !== null) {
    keys.metadata = { digest: digester.part(metadata), names: digester.names(metadata) };
  }
  if (roles.length > 0) {
    keys.roles = { digest: digester.list(roles), names: roles };
  }
  if (totp.length > 0) {
    const devices = totp.map((device) => digester.part(device));
    // One name for one device, so that it isn't there twice; and another one for the device that replaces it.
    const names = devices.map((digest) => `migrated-${digest.slice(0, 4)}`);
    keys.totp = { digest: oneOf(devices, digester), names };
  }
  return keys;
}

/** What an empty part is to be. */
const NOTHING: PartKey = { digest: "", names: [] };

/** One digest of several; most users have one device. */
function oneOf(digests: readonly string[], digester: Pick<Digester, "part">): string {
  const [only = "", ...others] = digests;
  return others.length === 0 ? only : digester.part(digests.join("\n"));
}

interface Known {
  readonly keys: { readonly parts: PartKeys };
  readonly entry: {
    readonly parts: PartNotes | null;
    readonly state: State | null;
    readonly mapped: Mapped;
  };
}

interface PartRules {
  readonly carried: Carried;
  /** People sign in at the core: nothing of theirs is overwritten or taken away. */
  readonly cutOver: boolean;
  /** Parts that no row of the run has; none by default. Such an export doesn't show them: that a user has none there says nothing. */
  readonly unshown?: ReadonlySet<SentPart>;
}

/** What is to be sent. A user who was at the core before this migration gets no part. */
export function partWork(user: Known, rules: PartRules): readonly PartWork[] {
  const { keys, entry } = user;
  if (keys.parts === NO_PARTS && entry.parts === null) return NO_WORK;
  if (entry.state === STATE.existed || entry.mapped === MAPPED.never) return NO_WORK;
  const works: PartWork[] = [];
  for (const part of SENT_PARTS) {
    const planned = keys.parts[part];
    const note = entry.parts?.[part];
    // A part that isn't carried any more stays as it is.
    if ((planned === undefined && note === undefined) || !rules.carried[part]) continue;
    if (isUnshown(part, user, rules)) continue;
    const work = workOn(part, planned, note, rules.cutOver);
    if (work !== null) works.push(work);
  }
  return works;
}

/** Whether the export has changed a part that was sent before. */
export function hasChangedParts({ keys, entry }: Known, rules: PartRules): boolean {
  return SENT_PARTS.some((part) => {
    const note = entry.parts?.[part];
    const isChanged = note !== undefined && !isSame(keys.parts[part], note);
    return isChanged && rules.carried[part] && !isUnshown(part, { keys, entry }, rules);
  });
}

/** Whether an earlier run has sent a part that this export doesn't show: it stays. */
function isUnshown(
  part: SentPart,
  { keys, entry }: Known,
  { unshown }: Pick<PartRules, "unshown">,
): boolean {
  const note = entry.parts?.[part];
  return note !== undefined && unshown?.has(part) === true && !isSame(keys.parts[part], note);
}

/** Whether a user's second factor at the core is one that this export doesn't show: brought anew, they would lack it. */
export function hasUnshownFactor(user: Known, rules: PartRules): boolean {
  return rules.carried.totp && isUnshown("totp", user, rules);
}

/** Whether anything of a user stays at the core only because this export doesn't show it. */
export function keepsUnshown(user: Known, rules: PartRules): boolean {
  return SENT_PARTS.some((part) => rules.carried[part] && isUnshown(part, user, rules));
}

/** Whether a row asks for other parts than an earlier run has sent, or has begun to send. */
export function asksForOthers(
  { keys, entry }: Known,
  rules: Pick<PartRules, "carried" | "unshown">,
): boolean {
  return SENT_PARTS.some((part) => {
    const isOther = rules.carried[part] && !isSame(keys.parts[part], entry.parts?.[part]);
    return isOther && !isUnshown(part, { keys, entry }, rules);
  });
}

/** What is to be sent of a part; null for nothing. */
function workOn(
  part: SentPart,
  planned: PartKey | undefined,
  note: PartNote | undefined,
  cutOver: boolean,
): PartWork | null {
  const { names } = planned ?? NOTHING;
  // The code that brings a user verifies their email, in whatever run.
  const had = note?.names ?? (part === "verified" ? VERIFIED : NO_NAMES);
  if (note !== undefined && (isSame(planned, note) ? note.state !== PART.open : cutOver))
    return null;
  const isThere = note?.state === PART.done && part !== "verified";
  const come = isThere ? names.filter((name) => !had.includes(name)) : names;
  const gone =
    cutOver || had.length === 0 || had === names
      ? NO_NAMES
      : had.filter((name) => !names.includes(name));
  const isNothing = come.length + gone.length === 0 && (cutOver || note === undefined);
  return isNothing ? null : { part, come, gone };
}

function isSame(planned: PartKey = NOTHING, note: PartKey = NOTHING): boolean {
  return planned.digest === note.digest;
}

/** What the checkpoint keeps while parts are being sent: all that may be at the core by then. */
export function notesBefore({ keys, entry }: Known, work: readonly PartWork[]): PartNotes | null {
  if (work.length === 0) return null;
  const notes: Partial<Record<SentPart, PartNote>> = { ...entry.parts };
  for (const { part, gone } of work) {
    const { digest, names } = keys.parts[part] ?? NOTHING;
    const all = gone.length === 0 ? names : [...names, ...gone];
    notes[part] = { digest, state: PART.open, names: all };
  }
  return notes;
}

/** The same once all of it is there. */
export function notesDone({ keys, entry }: Known, work: readonly PartWork[]): PartNotes {
  const notes: Partial<Record<SentPart, PartNote>> = { ...entry.parts };
  for (const { part } of work) {
    const planned = keys.parts[part];
    if (planned === undefined) delete notes[part];
    else notes[part] = { digest: planned.digest, state: PART.done, names: planned.names };
  }
  return notes;
}

/** The same once a part was sent, or refused by the core. */
export function notesAfter(
  notes: PartNotes,
  { part }: PartWork,
  planned: PartKey | undefined,
  state: PartState,
): PartNotes {
  const { [part]: before, ...others } = notes;
  const { digest, names } = planned ?? NOTHING;
  if (state === PART.done)
    return planned === undefined ? others : { ...others, [part]: { digest, names, state } };
  // What was refused may be there to some extent.
  return { ...others, [part]: { digest, names: before?.names ?? names, state } };
}

/** The notes of a user whom one call with all parts may have brought. */
export function allOpen(notes: PartNotes | null): PartNotes | null {
  return (
    notes &&
    Object.fromEntries(
      Object.entries(notes).map(([part, { digest, names }]) => [
        part,
        { digest, names, state: PART.open },
      ]),
    )
  );
}
