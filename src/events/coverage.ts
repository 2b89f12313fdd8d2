/** The result of joining users with a password export. */

/** A summary's `passwordExport`. */
export interface PasswordCoverage {
  /** Lines that could be read. */
  readonly lines: number;
  /** Lines that couldn't. */
  readonly unreadable: number;
  /** Users who sign in with a password of the vendor's own database and bring no hash along. */
  readonly users: number;
  /** Of these: users who found their hash. */
  readonly matched: number;
  /** Of these: users with several hashes, or whose line other users have an equal claim to. */
  readonly ambiguous: number;
  /** Lines without a user. */
  readonly unused: number;
}
