/** What a join of users with a password export comes to. Types only. */

/** A summary's `passwordExport`. */
export interface PasswordCoverage {
  /** Lines that could be read. */
  readonly lines: number;
  /** Lines that couldn't. */
  readonly unreadable: number;
  /** Users who sign in with a password of the vendor's own database and bring no hash along. */
  readonly users: number;
  /** Of these: who found their hash. */
  readonly matched: number;
  /** Of these: for whom there is more than one, or whose line others have as good a claim to. */
  readonly ambiguous: number;
  /** Lines that no user's name leads to. */
  readonly unused: number;
}
