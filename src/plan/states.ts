/** Where a user stands, as a checkpoint keeps it. A value never changes its number. */

/**
 * Where a user stands. `planned`: known, nothing was sent. `intent`: a call was about to be made;
 * without a later state it isn't known whether it was. `queued`: the core has taken the whole
 * account into its queue and writes it later. The rest are outcomes.
 */
export const STATE = {
  planned: 0,
  intent: 1,
  imported: 2,
  created: 3,
  existed: 4,
  skipped: 5,
  rejected: 6,
  failed: 7,
  queued: 8,
} as const;

export type State = (typeof STATE)[keyof typeof STATE];

/** The code of a queued user whose account may have been queued more than once, since an answer was lost. */
export const QUEUED_AGAIN = "again";

/**
 * Whether a lookup just before an intent found no user, so that one found later is ours.
 * `underAnotherPlan`: it found none, but the plan has changed since. Our user may have either plan,
 * so what is planned now must be sent all the same.
 */
export const SAW_NOBODY = { no: 0, yes: 1, underAnotherPlan: 2 } as const;

/**
 * Whether a user is known by the vendor's id at the core. `never`: the user was there before this
 * migration, so that an id of theirs may be in use, and none is given to them.
 */
export const MAPPED = { no: 0, yes: 1, never: 2 } as const;

export type Mapped = (typeof MAPPED)[keyof typeof MAPPED];

/**
 * What was planned for a user last, as far as something was sent. `none`: the row was
 * skipped or rejected.
 */
export const KIND = { import: 1, passwordless: 2, none: 3, thirdparty: 4 } as const;

export type Kind = (typeof KIND)[keyof typeof KIND];

/** What a contact is. A social account counts as the contact of who is brought by it. */
export const CONTACT = { email: 1, phone: 2, social: 3 } as const;

export type ContactKind = (typeof CONTACT)[keyof typeof CONTACT];

/**
 * Why a user has a contact. `held`: by the plan that is stored. `tried`: by an earlier plan that
 * may have been carried out. `coming`: by an update of a finished user that has
 * no outcome yet.
 */
export const MARK = { held: 0, tried: 1, coming: 2 } as const;

export type Mark = (typeof MARK)[keyof typeof MARK];

/** How a part of an account stands. `open`: it was to be sent and may be at the core, in part as well. */
export const PART = { open: 0, done: 1, refused: 2 } as const;

export type PartState = (typeof PART)[keyof typeof PART];

/** True for the states after which a user is not brought again. */
export function isFinished(state: State): boolean {
  return state === STATE.imported || state === STATE.created || state === STATE.existed;
}
