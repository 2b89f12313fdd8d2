/** Users as every core tells of them, lists and counts them. */

/** The ways in that every core has: by a password and by a code. */
export type Recipe = "emailpassword" | "passwordless";

/** The ways in by which users are listed and counted. */
export type ListedRecipe = Recipe | "thirdparty";

/** A user as every core can tell it (interface.md 2.2). */
export interface CoreUser {
  /** The external id where one is mapped, else the core's own, UUID shaped. */
  readonly userId: string;
  /** The id of this way in alone; absent where it is the `userId`, as it is unless accounts are linked. */
  readonly recipeUserId?: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  /** Epoch milliseconds; absent where a remote core doesn't say. */
  readonly timeJoined?: number;
  /** Further contacts of the account; a remote core shows them where accounts are linked. */
  readonly otherContacts?: readonly string[];
  /**
   * The way this user signs in; `other` for a social account (`thirdParty`) or a passkey, `null`
   * where a remote core doesn't say.
   */
  readonly recipe: Recipe | "other" | null;
  /** Of a user who signs in by a social account: the provider's name, and their id there. */
  readonly thirdParty?: { readonly id: string; readonly userId: string };
  /**
   * Of a passwordless user: whether a code was consumed as them since the one that made them. Absent
   * where the core didn't keep it, or doesn't say.
   */
  readonly hasSignedIn?: boolean;
  /** The core holds the email for verified; absent where it doesn't, or doesn't say. */
  readonly isEmailVerified?: true;
  /** Linked to another user, or ready to be; only a remote core shows this. */
  readonly isLinked?: true;
}

/** Which users a list or a count is about; those of every recipe by default. */
export interface UserFilter {
  readonly recipes?: readonly ListedRecipe[] | undefined;
}

/** Which page of users. */
export interface PageRequest extends UserFilter {
  /** 1 to 500; 100 by default. */
  readonly limit?: number | undefined;
  /** Of the page before; it goes on in the same order. */
  readonly paginationToken?: string | undefined;
  /** By the time they joined; `ASC` by default. */
  readonly order?: "ASC" | "DESC" | undefined;
}

/** One page of users. */
export interface UserPage {
  readonly users: readonly CoreUser[];
  readonly nextPaginationToken?: string;
}
