/** How a vendor's sign-in call is written and read. Types only. */

/** The vendor's account, as the operator names it. */
export interface UpstreamAccount {
  /** Without a slash at the end. */
  readonly url: string;
  /** The client's id; of Firebase the project's web API key. */
  readonly client: string;
  /** The client's secret; null for a client without one. */
  readonly secret: string | null;
}

/** Who signs in. */
export interface UpstreamUser {
  readonly email: string;
  readonly password: string;
}

/**
 * What the vendor says.
 * - `factor`: the password is right, and another step is asked for before the user is let in.
 * - `wrong`: it isn't, there is no such user, or the vendor lets the user in with no password.
 * - `hidden`: as for an unknown user; of a user who is there it means that they are locked out.
 * - `busy`: too many calls or attempts; whether the password is right isn't known.
 * - `unclear`: anything else, as by a client that isn't set up for the call.
 */
export type Said = "right" | "factor" | "wrong" | "hidden" | "busy" | "unclear";

/** A POST, and the meaning of its answer. */
export interface UpstreamCall {
  readonly request: (
    user: UpstreamUser,
    account: UpstreamAccount,
  ) => {
    /** Behind the account's URL. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /** @param answer the object that was answered; an empty one for anything else */
  readonly read: (status: number, answer: Readonly<Record<string, unknown>>) => Said;
}

/** What is said by names; what isn't named is unclear. */
export function saidBy(table: Partial<Record<Said, readonly string[]>>, name: unknown): Said {
  const found = Object.entries(table).find(([, names]) => names.includes(String(name)));
  return (found?.[0] as Said | undefined) ?? "unclear";
}
