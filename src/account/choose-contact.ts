/** Picks the one email or phone that a user keeps where the vendor knows several. */

/** One of a user's emails, or one of their phones, in the export's own words. */
export interface ContactCandidate {
  readonly value: string;
  /** Null where the export doesn't say. */
  readonly verified: boolean | null;
  /** True for the one that the vendor itself prefers. */
  readonly primary?: boolean;
}

/** The contact that a user draft takes. */
export interface ChosenContact {
  /** Empty where there was none. */
  readonly value: string;
  readonly verified: boolean | null;
  /** How many different ones are left behind, for the notice `other_contacts_not_migrated`. */
  readonly others: number;
}

const NONE: ChosenContact = { value: "", verified: null, others: 0 };

/**
 * Chooses the primary candidate, else the first verified one, else the first. A candidate without a
 * value doesn't count. Candidates that differ only in case and surrounding white space are one
 * contact. It is unverified where one of them says so, else verified where one says so.
 *
 * @param candidates all emails or all phones of one user, in the vendor's order
 */
export function chooseContact(candidates: readonly ContactCandidate[]): ChosenContact {
  const [only] = candidates;
  if (only === undefined) return NONE;
  if (candidates.length === 1) {
    return {
      value: only.value,
      verified: only.value.trim() === "" ? null : only.verified,
      others: 0,
    };
  }
  const distinct = withoutRepeats(candidates);
  const chosen =
    distinct.find(({ primary }) => primary === true) ??
    distinct.find(({ verified }) => verified === true) ??
    distinct[0];
  if (chosen === undefined) return NONE;
  return { value: chosen.value, verified: chosen.verified, others: distinct.length - 1 };
}

function withoutRepeats(candidates: readonly ContactCandidate[]): ContactCandidate[] {
  const distinct = new Map<string, ContactCandidate>();
  for (const candidate of candidates) {
    const key = candidate.value.trim().toLowerCase();
    if (key === "") continue;
    const known = distinct.get(key);
    distinct.set(key, known === undefined ? candidate : merged(known, candidate));
  }
  return [...distinct.values()];
}

function merged(one: ContactCandidate, other: ContactCandidate): ContactCandidate {
  const denied = one.verified === false || other.verified === false;
  return {
    value: one.value,
    verified: denied ? false : (one.verified ?? other.verified),
    primary: one.primary === true || other.primary === true,
  };
}
