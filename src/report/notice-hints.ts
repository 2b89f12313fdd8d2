/** What each notice on a migrated user means, and what to do about it. */

import type { Finding } from "../events/events.js";
import { mostFirst } from "./layout.js";

/** By code. To add one, put it here and into docs/json.md. */
const HINTS: Readonly<Record<string, string>> = {
  bans_not_exported:
    "The export doesn't say whom the vendor keeps out: ask it, and remove those at the core.",
  contact_conflict:
    "One of their contacts belongs to another user at the core: find out whose it is, and set it there.",
  id_not_kept:
    "The core knows them by another id than the vendor's: map it there, or change it in the application.",
  other_way_in:
    "Another user of the core has this contact and signs in another way: link the two there.",
  prehash_possible:
    "Some applications change passwords before they hash them: prove one user's password (docs/proof.md).",
  proof_needed: "A hash of an unusual form: prove such a user's password (docs/proof.md).",
  social_identity_dropped:
    "The social account stays behind: they sign in by their password, or without one by a code. Link accounts by the verified email, or tell them.",
  still_there:
    "Their latest row would leave them out, and they still have access: remove them at the core, or give the --include that let them in.",
  unverified_email_with_password:
    "The vendor never verified the email: have the application verify it before it trusts it.",
  unverified_not_replaced:
    "A user with this email was there, and the vendor never verified it: find out whose the address is.",
  profile_not_migrated:
    "The core takes no names and pictures, or --carry leaves them out: the application takes them over.",
  metadata_not_migrated:
    "The core takes no metadata of theirs, or --carry leaves it out: the application takes it over.",
  fields_not_migrated:
    "They have columns or fields that nothing takes along: validate --fields says which; --map metadata.NAME=COLUMN brings one, or with --mapping its line metadata: { NAME: COLUMN } (docs/mappings.md).",
  roles_not_migrated:
    "Roles and groups stay behind: --roles brings them, from a file of no known system with --map roles=COLUMN as well. Flags like is_staff are none: a --mapping brings them by its metadata (docs/mappings.md); or the application keeps them.",
  verification_not_migrated:
    "The core takes the verified email for unverified: have the application verify it again.",
  joined_not_migrated:
    "At the core they joined on the day of the import, which can't be mended: keep the vendor's date in the application.",
  mfa_not_migrated:
    "They come without their second factor, as you accepted: have them set up a new one.",
  passkey_not_migrated:
    "They come without their passkey, as you accepted: have them add a new one.",
  recovery_question_not_migrated:
    "A question by which they could set a new password stays behind: offer a reset by email.",
  username_not_migrated:
    "They signed in by a name, which the core doesn't know: tell them to use their email.",
  part_unreadable:
    "A day, metadata, a role, a factor's secret or a social account can't be read, or a word of a verification, which counts as no: mend it in the export and import it again, or name the words that say yes by --map email_verified=NAME=VALUE (phone_verified), in a mapping by only.",
  identities_not_exported:
    "The vendor may know social accounts that the export doesn't show: ask it for a fuller export.",
  password_not_exported:
    "The vendor has a password and the export no hash: see its guide (docs/vendors), or have the bridge ask it (docs/bridge.md).",
  bridged:
    "No core takes the hash, or the vendor gave none: the bridge brings the password at the first sign-in (docs/bridge.md).",
  password_not_migrated: "They were created without their password, as you asked: they use a code.",
  password_reset_required: "The vendor wanted a new password of them: have them reset it.",
  phone_not_migrated:
    "A user with a password or a social account has no place for a phone: the application keeps it.",
  other_contacts_not_migrated:
    "Of several emails or phones one is kept: the application keeps the others.",
  contact_unusable:
    "A contact can't be used and stays behind: mend it in the export (docs/rejects.md), or leave it.",
  phone_country_missing:
    "The phone has no + and stays behind: import again with its country, as in --default-country DE, or write it with the country's code.",
  hash_updated: "An earlier run brought them; their new hash was sent. Nothing is to be done.",
  account_updated:
    "An earlier run brought them; new contacts or parts were sent. Nothing is to be done.",
  kind_changed:
    "They got their password or social account, and another id at the core: take the id map again (report --id-map).",
  contact_kept:
    "A contact that is gone from the export is the user's only one: change it at the core.",
  earlier_contact_open:
    "A killed run may have brought them under an earlier contact: look for it at the core.",
  finished_otherwise:
    "They are at the core by an earlier run; the row itself would be rejected. Mend the row, or leave it.",
  bridge_lost:
    "The vault that had their hash is lost: import again with --on-unusable-hash reseal, or have them reset the password.",
  resealed: "The vault has their hash again. Nothing is to be done.",
  existing_password_replaced:
    "They were at the core, and their password was replaced, as --on-existing update asks.",
  contact_mended:
    "Something around the contact was taken off, or --default-country put before it: look at a few of them.",
};

/** A notice with the number of users, and what it means. */
export interface NoticeItem {
  readonly code: string;
  readonly count: number;
  readonly hint: string;
}

/** The most frequent first. What a finding tells needs no second telling. */
export function noticeItems(
  notices: Readonly<Record<string, number>>,
  findings: readonly Pick<Finding, "code">[] = [],
): NoticeItem[] {
  const found = new Set(findings.map(({ code }) => code));
  return mostFirst(notices).flatMap(([code, count]) =>
    found.has(code) ? [] : [{ code, count, hint: noticeHint(code) }],
  );
}

/** Empty for a code that isn't known here. */
export function noticeHint(code: string): string {
  return HINTS[code] ?? "";
}
