/** The table of findings: code, meaning and what the operator can do. Each is told with a count and example rows. */

import { firstOf, keepFirst } from "../errors/first-rows.js";
import { optionName } from "../errors/option-name.js";
import type { Finding, RowRef } from "./events.js";

/**
 * Findings are told in this order, the important ones first. An import tells the first nine at its
 * end, and those of a proof before its bulk. It tells the last one unless its proof has settled it.
 * docs/limits.md has those that no tool can lift.
 */
const HINTS = {
  unproved:
    "If the signer key is a wrong one, none of these users can sign in, and no core can tell. Prove it with one known password (docs/proof.md).",
  nobody_migrated:
    "Every user of this run is left out, so it migrates no user. Each skip and reject says what decided, and which option lets the user in; validate with --fields says what each column was taken for.",
  still_there:
    "Their row would leave these users out, and an earlier run brought them. They still have access at the core, which has no flag for it: remove them there, or run it again with the option that let them in, where one is named.",
  part_not_shown:
    "An earlier run brought a part of these users' accounts (roles, second factors, metadata, a verified contact) that no row of this run has: such an export doesn't show it, so it stays at the core as it is. Export the users with all that the earlier export had; what they have no more at the vendor, take away at the core.",
  gone_since_last_export:
    "Earlier runs read these users, and no row of this run names them. The vendor has removed them since, or this export isn't complete, or is another one. Whom an earlier run brought still has access at the core: remove those who should have none. The rows are those of the last export that had these users.",
  id_not_kept:
    "These users are at the core under another id than the vendor's, so what the application stores under the vendor's id doesn't lead to them. Either they were at the core before this migration, or the core didn't take the id: another user has it, they have another one already, or the core keeps data under theirs. Look each of them up at the core by their contact, and map the id there or change it in the application.",
  contact_claimed_unverified:
    "The vendor has verified these rows' contact, or at least doesn't call it unverified, as it does of the row that has it: an earlier run brought that user. The rows are named one behind the other, the better one first. Find out whose the contact is, and take it from the other one at the core.",
  unverified_not_replaced:
    "Users at the core have these emails with a password, and the vendor never verified them. No password was replaced: an unverified address must not take over an account. Find out whose each address is; its owner can set a new password at the core.",
  other_way_in:
    "The core already has other users with these contacts, who sign in another way: by a social account, a code, a password or a passkey. The core keeps them apart, so that one person may now have two users. Look each of them up at the core by the contact before the application's data hang on one of the two: link them there, or remove the one that isn't needed.",
  contact_conflict:
    "These users' contacts don't all lead to one user at the core: one of them belongs to another user or to none. So they can't sign in by all of their contacts, and users who were at the core before were left as they are. Look the contacts up at the core, find out whose each is, and set it there.",
  queue_stuck: `The core's queue has held these users for a quarter of an hour without any change, which is three rounds of SuperTokens' job. Those whom the job had taken are off the queue now and go by calls of their own: one of them may want an id that somebody has at the core. Where users are left in the queue, the job doesn't run (BULK_MIGRATION_CRON_ENABLED=false, or no core with the job is up): start it and run the same command again, or run it with ${optionName("--bulk")} never, which sends each user by calls of their own.`,
  input_doubtful:
    "Look at these files and rows before people sign in at the core; then run the command over the right ones, saved as files.",
  active_users: `This core counts every user who signs in as active in that month, and a user without a password is brought by a code or a social account, which is a sign-in. So all of these count as monthly active users at once, in a bill that goes by them and in the dashboard. Users with a password don't. validate ${optionName("--core")} says the number before an import: ask your provider then, or bring these users when the month's count is no matter.`,
  joined_not_migrated: `A core behind a URL takes the day of a sign-up by its queue alone. These users go by calls of their own, and join on the day of the import, which can't be mended later: keep the vendor's date in the application. The queue takes no users for the bridge or of a social account (docs/bulk.md).`,
  factors_untried: `Only a call that makes a second factor shows whether the core keeps them, which SuperTokens does by a licence, and a dry run makes none. An import tries it before its first user: where the core keeps none, these users are rejected (factor_lost), or come without it under ${optionName("--on-lost-factor")} accept.`,
  proof_unavailable: `The core offers no sign-in (POST /recipe/signin), so it couldn't be asked whether these test users can sign in; their passwords were verified on this machine alone. Sign in at the application as a pilot's users (${optionName("--limit")}) before you import the rest.`,
  proof_user_existed:
    "These test users were at the core before this migration, which left them as they were. Their sign-ins therefore show nothing about imported hashes. Prove with users whom this migration brings, or has brought.",
  no_hash_column: `No row of the file has a password, so all its users would be created without one and sign in with a code. Where they have passwords, export those as well, or name their column with ${optionName("--map")} hash=NAME.`,
  field_unknown:
    "The source's table of fields doesn't name these, so nothing in them is read or carried: they are the application's own, new at the vendor, or another product's. A field that matters to the application has to be moved by the application itself.",
  column_damaged:
    "Export the hashes again, unchanged, whole, and from a field that is wide enough.",
  hash_config_doubtful: `Compare the hash_config block with the vendor's console, save it as it stands there, and name that file with ${optionName("--hash-config")}.`,
  salt_column_filled:
    "Complete hashes stand beside a filled salt column. A complete hash has its salt inside, so a second one took part, or the column means something else. Find out which: in the first case the passwords can't be moved, in the second leave the column out of the export.",
  plain_text:
    "These are passwords in plain text, and no hashes: their column's name says so, or they look like it. Have the application hash them with bcrypt, export what it wrote, and delete this file. None of these texts is sent.",
  hash_shared:
    "Salts are random, so two users never have one hash by chance: it was copied, seeded or set as a default password, and a person who knows the password can sign in as each of them. Find out which, and leave these hashes out or have the users set new passwords.",
  proof_needed: "Prove such a user's password (docs/proof.md).",
  bans_not_exported:
    "This export doesn't say whom the vendor keeps out, and users who are banned or blocked there are let in with the others. Ask the vendor for it, or take these users out of the file before the import; the vendor's guide says how.",
  unverified_email_with_password:
    "The vendor never verified these users' emails. With their password they can sign in as they could at the vendor; that says nothing of whose the address is. They replace no password at the core, and a row that has the address verified gets it first. Have the application verify these addresses before it trusts them.",
  way_in_not_verified: `These users sign in without a password, by a code that goes to their email or phone, and no row says that it was ever verified. A mistyped one lets a stranger in. Where a column says it, name it with ${optionName("--map")} email_verified=NAME or phone_verified=NAME.`,
  hash_costly:
    "One sign-in of these users takes the core seconds (bcrypt above 15 takes four or more, twice as many with every step) or more than 1 GiB of memory (argon2). A few at the same time can stop it. Measure it before the cut-over, or let these users set new passwords.",
  social_identity_dropped: `The social account (Google, Facebook, …) by which these users sign in at the vendor stays behind: they have a password (the bridge's counts), the core takes none, the provider's name isn't known (a mapping gives it: ${optionName("--mapping")}), the export has no id of it, or ${optionName("--carry")} leaves it out. At the core they sign in by their password, or without one by a code that is sent to their contact. A user who presses the provider's button there becomes a second user, with another id and none of their data, unless the application links accounts by their verified email. Turn that on before the cut-over, or tell them.`,
  scrypt_non_ascii_passwords:
    "Some cores read passwords as ASCII when they check such a hash. There, users whose password has another character (é, ß, 密) need a password reset. Prove it with such a user (docs/limits.md).",
  prehash_possible: `Nothing shows which software made these bcrypt or argon2 hashes (Django's bcrypt$ would), and some changes the password first (docs/hashes.md): then no user could sign in. Prove it with one user's password, or vouch for it with ${optionName("--allow-hash")} as-typed.`,
} as const satisfies Record<string, string>;

export type FindingCode = keyof typeof HINTS;

/**
 * Findings that the users have as a notice as well: each stands until none of them has it. Two of them
 * are of fewer users than their notice: a time of joining, which --bulk keeps for the next ones, and a
 * social account that was the only way in.
 */
export const STANDING: ReadonlySet<FindingCode> = new Set<FindingCode>([
  "still_there",
  "id_not_kept",
  "unverified_not_replaced",
  "other_way_in",
  "contact_conflict",
  "proof_needed",
  "bans_not_exported",
  "unverified_email_with_password",
  "prehash_possible",
]);

const ORDER = Object.keys(HINTS);

/** What a finding says, of whichever files; empty for a code that isn't one's. */
export function findingHint(code: string): string {
  return Object.entries(HINTS).find(([known]) => known === code)?.[1] ?? "";
}

/**
 * Words one finding.
 *
 * @param detail a sentence of this file's own facts, told first
 */
export function finding(code: FindingCode, { count, rows }: ExampleCounter, detail = ""): Finding {
  const hint = detail === "" ? HINTS[code] : `${detail} ${HINTS[code]}`;
  return { code, count, rows, hint };
}

/** Sorts by importance. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => ORDER.indexOf(a.code) - ORDER.indexOf(b.code));
}

export interface ExampleCounter {
  count: number;
  readonly rows: RowRef[];
}

export function newExampleCounter(): ExampleCounter {
  return { count: 0, rows: [] };
}

/** Counts one more. */
export function countExample(counter: ExampleCounter, row: RowRef): void {
  counter.count += 1;
  keepFirst(counter.rows, row);
}

/** All of them as one. */
export function joined(counters: readonly ExampleCounter[]): ExampleCounter {
  return {
    count: counters.reduce((sum, { count }) => sum + count, 0),
    rows: firstOf(counters.flatMap(({ rows }) => rows)),
  };
}

/** The counter of `key`, new where there is none yet. */
export function counterOf<K>(counters: Map<K, ExampleCounter>, key: K): ExampleCounter {
  const known = counters.get(key);
  if (known !== undefined) return known;
  const made = newExampleCounter();
  counters.set(key, made);
  return made;
}
