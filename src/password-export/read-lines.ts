/** Opens a password export, finds out by its start which vendor wrote it, and reads its lines. */

import { CutOff } from "../source/bytes/cut-off.js";
import { openFile, openInput } from "../source/bytes/file.js";
import { type PasswordLine, truncated } from "../source/password-lines.js";
import type { RowDamage } from "../source/row-damage.js";
import { readAuth0Passwords } from "../source/vendors/auth0/auth0-passwords.js";
import { isStytchPasswords, readStytchPasswords } from "../source/vendors/stytch-passwords.js";

/**
 * @returns lines in batches in the file's order, or damage in the place of one that can't be read
 * @throws RunError `password_export_partial`, `input_unrecognized`, and what opening an input
 *   throws
 */
export async function* readPasswordLines(
  path: string,
): AsyncGenerator<readonly (PasswordLine | RowDamage)[]> {
  const { head, bytes, close } = await openInput(path, openFile(path));
  try {
    yield* isStytchPasswords(head)
      ? readStytchPasswords(head, bytes)
      : readAuth0Passwords(head, bytes);
  } catch (error) {
    throw error instanceof CutOff ? truncated(path) : error;
  } finally {
    await close();
  }
}
