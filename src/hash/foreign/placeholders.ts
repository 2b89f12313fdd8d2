/** What stands where a hash should be: withheld by the vendor, made up by a test tool, or locked by an administrator. */

import { type ForeignRow, row } from "./row.js";

export const PLACEHOLDERS: readonly ForeignRow[] = [
  row(
    "firebase_redacted",
    ["UkVEQUNURUQ"],
    "Firebase wrote a placeholder instead of the hash, because the exporting account may not read hashes",
    "export again with an account that has the permission firebaseauth.configs.getHashConfig",
  ),
  row(
    "firebase_emulator",
    ["fakeHash:"],
    "this is the Firebase emulator's stand-in, which holds the password in plain text",
    "export from the real project, and delete this file if the passwords in it are real",
  ),
  row(
    "redacted",
    {
      pattern:
        /^(?:[*•.-]{3,40}|x{3,40}|[[(<]?(?:redacted|hidden|masked|filtered|removed|protected|secret)[\])>]?)$/i,
      opens: [..."*•.-xX[(<rRhHmMfFpPsS"],
    },
    "a placeholder stands where the hash should be",
    "export again with an account or tool that may read hashes, or use --on-unusable-hash passwordless",
  ),
  row(
    "locked_account",
    ["!$", "!!$", "*$", "*LK*", "*NP*"],
    "the account was locked by a mark before its hash",
    "decide whether this user may sign in, and unlock the account or leave it out",
  ),
];
