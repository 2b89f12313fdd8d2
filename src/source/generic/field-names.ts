/** The names under which tables and documents of anybody's making keep what a migration reads, and what each means. One table for CSV columns and JSON properties; it reads no value. */

import type { Exclusion } from "../../record/user-record.js";
import type { FlagKind } from "./account-flags.js";

/** A user's fields that are one text each. */
export type TextField = "id" | "email" | "phone" | "hash" | "salt";

/** What says more of a hash: an algorithm, FusionAuth's scheme and its bcrypt factor, a pepper. */
export type BesideField = "algorithm" | "hash_type" | "pepper" | "encryptionScheme" | "factor";

/** What a column or property is for. */
export type Meaning =
  /** `rank` orders names of one field, the surest first. */
  | { readonly kind: "text"; readonly field: TextField; readonly rank: number }
  /** A list of them, which only JSON can hold. */
  | { readonly kind: "list"; readonly of: "email" | "phone" }
  | { readonly kind: "verified"; readonly of: "email" | "phone"; readonly flag: FlagKind }
  | { readonly kind: "exclusion"; readonly flag: FlagKind; readonly exclusion: Exclusion }
  | { readonly kind: "beside"; readonly field: BesideField }
  /** An object or a list of ways to sign in; a credential where a password is among them. */
  | { readonly kind: "credentials" }
  /** It has no place in the core: where it is filled, the user has this notice. */
  | { readonly kind: "notice"; readonly code: string };

/** What any other name means: names, dates, pictures. */
export const PROFILE: Meaning = { kind: "notice", code: "profile_not_migrated" };

/** The name of a password in clear or hashed: the hash only where no clearer name is there. */
const UNSURE_RANK = 1000;

/** All names, lower-cased, without spaces and punctuation. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ...texts("id", "id userid uid sub uuid guid localid externalid useruuid userguid memberid idoid"),
  ...texts("email", "email emailaddress mail useremail primaryemail primaryemailaddress"),
  ...texts("email", "emailid emailaddr mailaddress loginemail contactemail emailvalue"),
  ...texts("phone", "phone phonenumber mobile mobilephone mobilenumber cellphone telephone"),
  ...texts("phone", "userphone primaryphone primaryphonenumber telephonenumber phoneno mobileno"),
  ...texts("phone", "msisdn phonee164 userphonenumber phonevalue"),
  ...texts("hash", "passwordhash hash hashedpassword encryptedpassword passworddigest passwd"),
  ...texts("hash", "passwordencrypted pwhash userpass userpassword cryptedpassword passhash"),
  ...texts("hash", "passwordhashed bcrypthash argon2hash pwdhash userpasswordhash passwordbcrypt"),
  ...texts("hash", "password pass pwd", UNSURE_RANK),
  ...texts("salt", "salt passwordsalt hashsalt passsalt pwsalt usersalt"),
  ...named("emails emailaddresses useremails", { kind: "list", of: "email" }),
  ...named("phones phonenumbers userphones mobiles", { kind: "list", of: "phone" }),

  ...verified("email", "yes", "emailverified emailconfirmed isemailverified isemailconfirmed"),
  ...verified("email", "yes", "verifiedemail confirmedemail emailisverified emailvalidated"),
  ...verified("email", "yes", "emailverification isemailvalidated"),
  ...verified("email", "yes", "verified isverified confirmed isconfirmed mailverified"),
  ...verified("email", "time", "emailverifiedat emailconfirmedat verifiedat confirmedat"),
  ...verified("email", "time", "emailverifiedon emailconfirmedon emailvalidatedat"),
  ...verified("phone", "yes", "phoneverified phoneconfirmed isphoneverified isphoneconfirmed"),
  ...verified("phone", "yes", "phonenumberverified phonenumberconfirmed mobileverified"),
  ...verified("phone", "yes", "verifiedphone isphonenumberverified phoneverification"),
  ...verified("phone", "time", "phoneverifiedat phoneconfirmedat phonenumberverifiedat"),
  ...verified("phone", "time", "mobileverifiedat phonenumberconfirmedat"),

  ...keptOut("disabled", "yes", "disabled isdisabled accountdisabled userdisabled inactive"),
  ...keptOut("disabled", "yes", "isinactive blocked isblocked banned isbanned suspended"),
  ...keptOut("disabled", "yes", "issuspended deactivated isdeactivated archived isarchived"),
  ...keptOut("disabled", "yes", "closed isclosed terminated spam isspam expired isexpired"),
  // A lock may have run out, or be lifted by a mail (Devise's Lockable); nothing in a row says so.
  ...keptOut("disabled", "yes", "locked islocked accountlocked lockedout islockedout"),
  ...keptOut("disabled", "time", "lockedat lockeduntil lockoutend lockoutenddate accountlockedat"),
  ...keptOut("disabled", "time", "disabledat blockedat bannedat banneduntil banexpires"),
  ...keptOut("disabled", "time", "suspendedat suspendeduntil suspendedtill deactivatedat"),
  ...keptOut("disabled", "time", "archivedat closedat terminatedat disabledon"),
  ...keptOut("disabled", "no", "active isactive enabled isenabled accountenabled useractive"),
  ...keptOut("disabled", "no", "approved isapproved accountapproved"),
  // Spring Security's UserDetails.
  ...keptOut("disabled", "no", "accountnonlocked isaccountnonlocked accountnonexpired"),
  ...keptOut("disabled", "no", "isaccountnonexpired"),
  ...keptOut("disabled", "word", "status accountstatus userstatus"),
  ...keptOut("disabled", "perhaps", "state accountstate userstate"),
  ...keptOut("deleted", "yes", "deleted isdeleted removed isremoved softdeleted trashed"),
  ...keptOut("deleted", "time", "deletedat removedat trashedat deletedon"),
  ...keptOut("anonymous", "yes", "anonymous isanonymous isguest guest"),
  ...keptOut("sso_only", "yes", "isssouser issso ssouser ssoonly"),

  ...named("credentials credential services", { kind: "credentials" }),
  ...beside("algorithm", "algorithm algo hashalgorithm hashalgo passwordalgorithm passwordalgo"),
  ...beside("algorithm", "passwordhashalgorithm passwordhasher hasher passwordencoder"),
  ...beside("hash_type", "hashmethod passwordmethod hashtype passwordtype passwordhashtype"),
  ...beside("hash_type", "passwordhashmethod hashfunction hashscheme passwordscheme"),
  ...beside("pepper", "pepper peppered ispeppered passwordpepper prehash prehashed"),
  ...beside("encryptionScheme", "encryptionscheme"),
  ...beside("factor", "factor"),

  ...noticed("mfa_not_migrated", "totpsecret otpsecret mfasecret twofactorsecret totp totps mfa"),
  ...noticed("mfa_not_migrated", "mfaenabled twofactorenabled istwofactorenabled totpenabled"),
  ...noticed("mfa_not_migrated", "otprequiredforlogin otpbackupcodes backupcodes mfafactors"),
  ...noticed("mfa_not_migrated", "twofactorrecoverycodes twofactorconfirmedat encryptedotpsecret"),
  ...noticed("passkey_not_migrated", "passkeys webauthncredentials webauthnregistrations"),
  ...noticed("social_identity_dropped", "googleid facebookid githubid appleid twitterid"),
  ...noticed("social_identity_dropped", "linkedinid microsoftid discordid"),
  ...noticed("username_not_migrated", "username login userlogin loginname loginid signinname"),
  ...noticed("roles_not_migrated", "role roles userrole userroles isadmin admin superadmin"),
  ...noticed("roles_not_migrated", "isstaff staff superuser issuperuser issuperadmin moderator"),
  ...noticed("roles_not_migrated", "groups permissions organizations memberships"),
  ...noticed("metadata_not_migrated", "metadata appmetadata usermetadata publicmetadata claims"),
  ...noticed("metadata_not_migrated", "privatemetadata unsafemetadata trustedmetadata"),
  ...noticed(
    "metadata_not_migrated",
    "untrustedmetadata customclaims customattributes rawmetadata",
  ),
  ...noticed("other_emails_not_migrated", "unconfirmedemail secondaryemail secondemail otheremail"),
  ...noticed("other_emails_not_migrated", "alternateemail backupemail recoveryemail workemail"),
  ...noticed("other_emails_not_migrated", "newemail pendingemail personalemail otheremails"),
  ...noticed("other_phones_not_migrated", "secondaryphone otherphone alternatephone homephone"),
  ...noticed("other_phones_not_migrated", "workphone backupphone recoveryphone newphone"),
  ...noticed("password_reset_required", "mustchangepassword forcepasswordchange requiresreset"),
  ...noticed("password_reset_required", "passwordresetrequired passwordchangerequired"),
  ...noticed("password_reset_required", "forcepasswordreset requirepasswordchange"),
]);

/** A name without what people vary in it: case, spaces, punctuation. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** @param plain as {@link plainName} gives it */
export function meaningOf(plain: string): Meaning {
  return MEANINGS.get(plain) ?? PROFILE;
}

/** True for a name that is only taken for the hash where no clearer one is there. */
export function isUnsure(meaning: Meaning): boolean {
  return meaning.kind === "text" && meaning.rank >= UNSURE_RANK;
}

/** True for an email or a phone, or a list of them. */
export function isContact(meaning: Meaning): boolean {
  if (meaning.kind === "list") return true;
  return meaning.kind === "text" && (meaning.field === "email" || meaning.field === "phone");
}

type Named = readonly (readonly [string, Meaning])[];

function named(names: string, meaning: Meaning): Named {
  return names.split(" ").map((name) => [name, meaning]);
}

function texts(field: TextField, names: string, rank = 0): Named {
  return names.split(" ").map((name, index) => [name, { kind: "text", field, rank: rank + index }]);
}

function verified(of: "email" | "phone", flag: FlagKind, names: string): Named {
  return named(names, { kind: "verified", of, flag });
}

function keptOut(exclusion: Exclusion, flag: FlagKind, names: string): Named {
  return named(names, { kind: "exclusion", flag, exclusion });
}

function beside(field: BesideField, names: string): Named {
  return named(names, { kind: "beside", field });
}

function noticed(code: string, names: string): Named {
  return named(names, { kind: "notice", code });
}
