/** Closing what is open when something has failed already. */

/** What can't be closed after a failure is most likely its consequence; the first one is told. */
export function closeAfterFailure(open: { close(): void }): void {
  try {
    open.close();
  } catch {
    // Told already.
  }
}
