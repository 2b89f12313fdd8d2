/** Closes what is open when something has failed already. */

/**
 * Closes `open`. An error of closing is most likely a consequence of the failure, which is told
 * instead.
 */
export function closeAfterFailure(open: { close(): void }): void {
  try {
    open.close();
  } catch {
    // The failure before it is told.
  }
}
