/** What is to be told of a password export as a whole. Words only. */

import type { ExampleCounter } from "../events/findings.js";
import type { Finding } from "../events/events.js";
import { type Input, sourceNames } from "../source/inputs.js";
import type { PasswordExport } from "./load-export.js";
import type { MatchCounts } from "./matcher.js";

/** The important ones first. */
export function joinFindings(
  { files, lines, unreadable }: PasswordExport,
  { users, matched, ambiguous }: MatchCounts,
  inputs: readonly Input[],
): Finding[] {
  const [file = ""] = files;
  const all: ExampleCounter = { count: lines, rows: [{ file, number: 1 }] };
  const hasOnce = inputs.some(({ readOnce }) => readOnce);
  return [
    ...(users === 0 && !hasOnce ? [finding("password_export_unused", all, nobody(inputs))] : []),
    ...(ambiguous.count > 0 ? [finding("password_ambiguous", ambiguous, AMBIGUOUS)] : []),
    ...(unreadable.count > 0 ? [finding("password_line_unreadable", unreadable, UNREADABLE)] : []),
    ...(hasOnce && matched === 0 ? [finding("password_by_id_only", all, BY_ID_ONLY)] : []),
  ];
}

function finding(code: string, { count, rows }: ExampleCounter, hint: string): Finding {
  return { code, count, rows, hint };
}

/** Where a user's hash can't be said for certain. */
const AMBIGUOUS =
  "The password export has several hashes for each of these users, or several users fit one line by email alone. None is taken, since it might be somebody else's: they count as users whose hash can't be used (credential_ambiguous). Leave the right line, or let them be created without a password with --on-unusable-hash passwordless.";

const UNREADABLE =
  "Lines of the password export that can't be read, so whoever they belong to has found no hash. Mend them, or ask for the export again, before anybody is imported without their password.";

const BY_ID_ONLY =
  "An input that can be read only once is joined by ids alone, since nobody knows beforehand how many users share an email. Save it as a file and name that to have the others looked for by connection and email.";

function nobody(inputs: readonly Input[]): string {
  return `Nobody is joined: among these users (${sourceNames(inputs)}) there is none who signs in with a password of a vendor's database that such an export belongs to. Check that the files are the users of the same Auth0 tenant, and that their user_id or identities are among the fields.`;
}
