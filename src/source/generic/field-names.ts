/** The names under which applications' own tables and documents keep what a migration reads, and what each means. CSV columns and JSON properties share one table; flags follow the grammar of flag-names.ts. */

import type { Exclusion } from "../../account/user-record.js";
import { remembering } from "../remembering.js";
import { mayBePlainText, saysPlainText } from "../user-parts.js";
import { type FlagKind, type FlagName, readFlagName } from "./flag-names.js";
import { wordsAs } from "./flag-words.js";
import { roleOf, wordsOf } from "./name-words.js";
import { factorNamed } from "./other-ways.js";

/** A user's fields that are one text each. `plain` is a password in plain text, which is told and never sent. */
export type TextField = "id" | "email" | "phone" | "hash" | "salt" | "plain";

/** What says more of a hash: an algorithm, FusionAuth's scheme and its bcrypt factor, a pepper. */
export type BesideField = "algorithm" | "hash_type" | "pepper" | "encryptionScheme" | "factor";

/** What a column or property is for. */
export type Meaning =
  /** `rank` orders names of one field, the surest first. */
  | { readonly kind: "text"; readonly field: TextField; readonly rank: number }
  /** A list of them, which only JSON can hold. */
  | { readonly kind: "list"; readonly of: "email" | "phone" }
  | FlagName
  /** Kratos' `verifiable_addresses`: emails and phones that stand elsewhere, too. */
  | { readonly kind: "addresses" }
  | { readonly kind: "beside"; readonly field: BesideField }
  /**
   * A part of a credential that is several properties of the user. It goes beside the hash under
   * its own name.
   */
  | { readonly kind: "part"; readonly name: string }
  /** An object or a list of ways to sign in; a credential where a password is among them. */
  | { readonly kind: "credentials" }
  /** It has no place in the core: where it is filled, the user has this notice. */
  | { readonly kind: "notice"; readonly code: string };

/** What any other name means: names, dates, pictures. */
export const PROFILE: Meaning = { kind: "notice", code: "profile_not_migrated" };

/** What the words of a second factor's names mean. */
export const FACTOR: Meaning = { kind: "notice", code: "mfa_not_migrated" };

const PLAIN: Meaning = { kind: "text", field: "plain", rank: 0 };

const BY_FACTOR: Readonly<Record<NonNullable<ReturnType<typeof factorNamed>>, Meaning>> = {
  factor: FACTOR,
  passkey: { kind: "notice", code: "passkey_not_migrated" },
  unclear: { kind: "unclear", about: "flag" },
  other: PROFILE,
};

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
  ...texts(
    "hash",
    `passwordhash hash hashedpassword encryptedpassword passworddigest passwd passwordencrypted
    pwhash userpass userpassword cryptedpassword passhash passwordhashed bcrypthash argon2hash
    pwdhash userpasswordhash passwordbcrypt bcryptpassword loginpassword memberpassword
    hashpassword hashedpwd saltedhash authhash credentialhash saltedpassword hashedpass
    servicespasswordbcrypt servicespasswordargon2`,
  ),
  ...texts(
    "hash",
    `password pass pwd pw passwort kennwort senha contrasena contraseña motdepasse wachtwoord haslo
    hasło parola losenord lösenord adgangskode passord salasana heslo пароль 密码`,
    UNSURE_RANK,
  ),
  ...texts("salt", "salt passwordsalt hashsalt passsalt pwsalt usersalt"),
  ...wordsAs<Meaning>("emails emailaddresses useremails", { kind: "list", of: "email" }),
  ...wordsAs<Meaning>("phones phonenumbers userphones mobiles", { kind: "list", of: "phone" }),

  ...wordsAs<Meaning>("verifiableaddresses", { kind: "addresses" }),
  ...wordsAs<Meaning>("doubleoptin doubleoptindone emailchecked emailapproved", {
    kind: "verified",
    of: "email",
    flag: "yes",
  }),

  // Their words alone would say something else, or too little.
  ...keptOut("disabled", "yes", "pending ispending pendingapproval nsaccountlock withdrawyn"),
  ...keptOut("disabled", "time", "pwdaccountlockedtime"),
  ...keptOut("disabled", "no", "useyn useflag usefl isuse inuse isinuse"),
  ...keptOut("disabled", "expiry", "validuntil validto validtill accountexpires accountexpiresat"),
  ...keptOut("disabled", "expiry", "accountexpiry accountexpirydate accountexpirationdate"),
  ...keptOut("disabled", "expiry", "userexpires userexpiresat accessexpiresat"),
  // Spring Security and FOSUserBundle refuse the sign-in until the password is changed.
  ...keptOut("disabled", "yes", "credentialsexpired credentialexpired iscredentialsexpired"),
  ...keptOut("disabled", "no", "credentialsnonexpired iscredentialsnonexpired"),
  ...keptOut("disabled", "expiry", "credentialsexpireat credentialsexpiresat"),
  ...keptOut("disabled", "bits", "useraccountcontrol"),
  ...wordsAs<Meaning>("expires expiresat expiry expirydate expirationdate", {
    kind: "unclear",
    about: "flag",
  }),
  // Whether failed attempts may lock it (ASP.NET Core Identity), not whether they have.
  ...wordsAs<Meaning>("lockoutenabled", PROFILE),
  ...keptOut("anonymous", "yes", "anonymous isanonymous isguest guest"),
  ...keptOut("sso_only", "yes", "isssouser issso ssouser ssoonly"),

  ...wordsAs<Meaning>("credentials credential services", { kind: "credentials" }),
  ...beside("algorithm", "algorithm algo hashalgorithm hashalgo passwordalgorithm passwordalgo"),
  ...beside("algorithm", "passwordhashalgorithm passwordhasher hasher passwordencoder"),
  ...beside("hash_type", "hashmethod passwordmethod hashtype passwordtype passwordhashtype"),
  ...beside("hash_type", "passwordhashmethod hashfunction hashscheme passwordscheme"),
  ...beside("pepper", "pepper peppered ispeppered passwordpepper prehash prehashed"),
  ...beside("encryptionScheme", "encryptionscheme"),
  ...beside("factor", "factor"),

  // Others by their words.
  ...noticed("mfa_not_migrated", "otprequiredforlogin availableaal"),
  ...noticed(
    "social_identity_dropped",
    `googleid facebookid githubid appleid twitterid gitlabid linkedinid microsoftid discordid
    kakaoid naverid lineid wechatid wechatopenid weixinid telegramid steamid vkid twitchid
    spotifyid instagramid bitbucketid amazonid yahooid googlesub googleuid googleuserid
    facebookuid facebookuserid appleuid appleuserid githubuserid oauthid oauthuid socialid snsid
    snstype provider providers providerid providerids authprovider authproviders idp oauthprovider
    oauthproviders oauth2provider loginprovider loginproviders socialprovider socialproviders
    identityprovider identityproviders signinprovider identities socialaccounts sociallogins
    socialidentities externalaccounts externallogins externalidentities federatedidentities
    linkedaccounts connectedaccounts oauthaccounts authdata providerdata provideruserinfo
    thirdparty samlid samlnameid samlsub ldapid ldapdn ssoid ssoidentities samlaccounts
    enterpriseaccounts auth authmethod authtype authsource loginmethod logintype ssoprovider
    ssoproviders samlprovider externalidp authbackend authenticationmethod authenticationtype
    authenticationsource authenticationprovider signinmethod`,
  ),
  ...noticed(
    "joined_not_migrated",
    `createdat created createdon createdate createddate createtime createdtime createdtimestamp
    createddatetime createdatetime creationdate creationtime creationtimestamp datecreated
    timecreated createtimestamp createdutc createdatutc gmtcreate whencreated metacreated
    insertinstant accountcreated accountcreatedat usercreatedate usercreatedat usercreated joined
    joinedat joinedon joindate joineddate joinedtimestamp datejoined timejoined membersince
    usersince customersince registered registeredat registeredon registereddate registerdate
    registertime registration registrationdate registrationtime registrationtimestamp
    dateregistered userregistered regdate regtime signupat signupdate signuptime signedupat
    signedupon dateofregistration registriertam erstelltam angelegtam`,
  ),
  ...noticed("username_not_migrated", `username login userlogin loginname loginid signinname`),
  ...noticed(
    "roles_not_migrated",
    `role roles userrole userroles isadmin admin superadmin isstaff staff superuser issuperuser
    issuperadmin moderator groups permissions organizations memberships group rolename usergroup
    usergroups membergroup membergroups groupname primaryrole primarygroup`,
  ),
  ...noticed(
    "metadata_not_migrated",
    `metadata appmetadata usermetadata publicmetadata claims privatemetadata unsafemetadata
    trustedmetadata untrustedmetadata customclaims customattributes rawmetadata`,
  ),
  ...noticed(
    "other_contacts_not_migrated",
    `unconfirmedemail secondaryemail secondemail otheremail alternateemail backupemail
    recoveryemail workemail newemail pendingemail personalemail otheremails
    secondaryphone otherphone alternatephone homephone workphone backupphone recoveryphone newphone`,
  ),
  ...noticed(
    "password_reset_required",
    `mustchangepassword forcepasswordchange requiresreset passwordresetrequired
    passwordchangerequired forcepasswordreset requirepasswordchange passwordexpired
    ispasswordexpired`,
  ),
]);

/** A name without what people vary in it: case, spaces, punctuation. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** What a name means, in whatever case and with whatever between its words. */
export const meaningOf = remembering(meaningIn, 5000);

function meaningIn(name: string): Meaning {
  const known = MEANINGS.get(plainName(name));
  if (known !== undefined) return known;
  if (saysPlainText(name)) return PLAIN;
  const words = wordsOf(name);
  const is = factorNamed(words);
  if (is !== null) return BY_FACTOR[is];
  const said = readSaltName(words) ?? readInnerName(name) ?? readFlagName(name);
  return said ?? (mayBePlainText(name) ? PLAIN : PROFILE);
}

const OF_HASH = /^(?:password|passwd|pwd|pass|pw|hash|hashed|secret)$/;
const ADDED = /^(?:suffix|postfix|prefix|secret|seed|nonce|random|iv)$/;
const OF_PASSWORD = /^(?:password|passwd|pwd|pass|pw)$/;
/** Written as one word with something else: `pwsalt`, `saltvalue`. */
const SALTED = /^salt(?!y|lake)|salt$/;
const OF_ANOTHER =
  /^(?:remember|reset|activat|confirm|token|otp|backup|recover|refresh|session|cookie|api|answer|pin$|e?mail|phone|link|url|file|question|hint)/;

/** What is said of a salt and is none: `salt_position`, `salt_format`. */
const OF_SALT =
  /^(?:position|placement|format|encod|type|kind|len|length|size|round|cost|iteration|algo|method|version|order|mode|charset|source|strategy|style|creat|updat|at$|used?$|enabled?$)/;

/** What took part in a hash beside the password: `pw_salt`, `hash_pepper`, `password_suffix`. */
function readSaltName(words: readonly string[]): Meaning | null {
  if (words.some((word) => OF_ANOTHER.test(word) || OF_SALT.test(word))) return null;
  if (words.includes("pepper")) return { kind: "beside", field: "pepper" };
  const at = words.findIndex((word) => OF_HASH.test(word));
  const isKey = OF_PASSWORD.test(words[at] ?? "") && words[at + 1] === "key";
  const isAdded = isKey || (at !== -1 && words.slice(at + 1).some((word) => ADDED.test(word)));
  const isSalt =
    isAdded || words.some((word) => roleOf(word)?.role === "salt" || SALTED.test(word));
  return isSalt ? { kind: "text", field: "salt", rank: 500 } : null;
}

/** Objects in which applications keep all sorts of things of the account. */
const MIXED =
  /^(?:(?:raw)?(?:app|user|public|private|unsafe|trusted|untrusted)?meta(?:data)?|(?:custom)?(?:claims|attributes|data|fields|properties)|settings?|options?|config|info|details|flags|status|state|security|access|extra)$/;

/** A flag in such an object may be the account's: `app_metadata.banned`, `settings.account.locked`. */
function readInnerName(path: string): FlagName | null {
  if (!path.includes(".")) return null;
  const around = path.split(".");
  const name = around.pop() ?? "";
  const own = around.filter((part) => !MIXED.test(plainName(part)));
  if (own.length === around.length) return null;
  const inner = meaningOf([...own, name].join(" "));
  return inner.kind === "exclusion" ? { kind: "unclear", about: "flag", inner } : null;
}

/** A meaning where points in time were found: of `email_unverified` one says no more than a yes. */
export function withTime(meaning: Meaning, isTime: boolean): Meaning {
  const isOther = !isTime || meaning.kind !== "verified" || meaning.flag === "no";
  return isOther ? meaning : { ...meaning, flag: "time" };
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

function texts(field: TextField, names: string, rank = 0): Named {
  return names
    .split(/\s+/)
    .map((name, index) => [name, { kind: "text", field, rank: rank + index }]);
}

function keptOut(exclusion: Exclusion, flag: FlagKind, names: string): Named {
  return wordsAs<Meaning>(names, { kind: "exclusion", flag, exclusion, group: "account" });
}

function beside(field: BesideField, names: string): Named {
  return wordsAs<Meaning>(names, { kind: "beside", field });
}

function noticed(code: string, names: string): Named {
  return wordsAs<Meaning>(names, { kind: "notice", code });
}
