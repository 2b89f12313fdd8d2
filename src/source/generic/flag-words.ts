/** The words of which names of flags, verifications and states are made, in the common languages, and what each does to a name. flag-names.ts puts them together. */

import type { Exclusion } from "../../account/user-record.js";

/** A word that says by itself whether an account is kept out. */
export interface FlagWord {
  readonly role: "flag";
  /** Whether a yes keeps the account out. */
  readonly flag: "yes" | "no";
  readonly exclusion: Exclusion;
  /** Flags about one thing: `lockout` and `locked_until`. */
  readonly group: string;
  /** `deletion` alone may be a request or a token. */
  readonly noun: boolean;
}

/** What one word does to a name. */
export type WordRole =
  | FlagWord
  | { readonly role: "verified"; readonly noun: boolean; readonly negated: boolean }
  | { readonly role: PlainRole };

type PlainRole =
  /** The value is a word: `status`. */
  | "state"
  | "email"
  | "phone"
  /** A filled one says yes: `locked_at`, `date_deleted`. */
  | "time"
  /** It may be over: `banned_until`, `lockout_end`. */
  | "until"
  | "not"
  /** The account itself, or nothing at all. */
  | "account"
  /** People whose state may be something else: `customer_status`. */
  | "person"
  /** Of the contact beside it, as in `phone_number_verified`; else of something else. */
  | "part"
  /** About a flag that should stand elsewhere as well: `ban_reason`. */
  | "companion"
  /** Of something else, or no flag at all: `lock_version`, `newsletter_enabled`. */
  | "other"
  /** Of the application: it may be enabled, but a ban from it is one. */
  | "feature"
  /** The sign-in itself, of an account: `prohibit_login`, `access_revoked`. */
  | "entry"
  /** May or may not: of the sign-in, whether an account is kept out. */
  | "may"
  | "maynot"
  /** Person or program: its value is a word, as a state's is. */
  | "sort"
  /** Second factors, and what some of them are named by; `otp` may be any code. */
  | "factor"
  | "passkey"
  | "otp"
  /** Takes part in a hash. */
  | "salt";

/** `unbanned_at` is about a ban that was. */
export const LIFTED = "lifted";

type Entries = readonly (readonly [string, WordRole])[];

/** Words that keep an account out by themselves, by what they are about: `lockout` and `locked_until` are about one thing. */
const OUT = {
  ban: `ban bans banned banning banished blacklist blacklisted blocklisted denylisted verbannt gebannt
    banni baneado banido bannato verbannen zbanowany yasakli забанен barred jailed kicked
    blocklist denylist banlist barlogin barsignin barlogon baraccess nologin nosignin nologon noaccess 封禁`,
  block: `block blocked blocking blk gesperrt geblockt blockiert bloque bloquee bloqueado bloqueada
    bloccato bloccata geblokkeerd zablokowany zablokowane blokeret sparrad blockerad blokkert
    engelli blokovan blocat letiltva заблокирован заблокирована блокировка 차단 拉黑 屏蔽`,
  forbid: `forbid forbids forbidden deny denies denied disallow disallows disallowed prohibit prohibits
    prohibited prevent prevents prevented refuse refuses refused unauthorized unauthorised verboten interdit prohibido proibido 禁止`,
  suspend: `suspend suspended suspendu suspendido suspendida sospeso suspenso geschorst zawieszony
    ausgesetzt askida 停用 停止`,
  lock: `lock locked lockout lockedout verrouille vergrendeld lukket kilitli 锁定 锁`,
  freeze: `frozen freeze freezed eingefroren gele congelado bevroren 冻结 凍結`,
  disable: `disable disabled inactive inactivated dormant deactivate deactivated deprovisioned deaktiviert inaktiv
    inaktiviert desactive desactivado desativado disattivato gedeactiveerd uitgeschakeld inactif
    inactivo inativo inattivo inactief nieaktywny wylaczony deaktiveret inaktiverad pasif отключен
    неактивен 禁用 無効`,
  revoke: `revoke revoked widerrufen revoque revocado revogado ingetrokken`,
  terminate: `terminate terminated fired sacked leaver leavers resigned expelled evicted departed leftdate exitdate ausgetreten austrittsdatum
    deceased offboarded hasleft leftat lefton dateleft leftcompany gekundigt gekuendigt resilie dismissed`,
  silence: `silence silenced quarantine quarantined restricted shadowbanned hold`,
  archive: `archive archived archiviert archivado arquivado archiviato gearchiveerd zarchiwizowany
    arkiveret`,
  close: `closed cancelled canceled retired geschlossen ferme cerrado fechado chiuso gesloten zamkniety`,
  expire: `expired abgelaufen vencido caducado scaduto verlopen`,
  reject: `rejected abgelehnt rejete rechazado rejeitado`,
  spam: `spam spammer fraud fraudulent`,
};
/** Nouns alone may be of something else. */
const OUT_NOUNS = {
  suspend: `suspension`,
  disable: `deactivation inactivation`,
  terminate: `termination`,
};
/** Programs and not people. */
const MACHINE = `bot dummy robot crawler spider serviceaccount serviceuser systemuser systemaccount issystem
  isservice ismachine machineaccount machineuser robotaccount dienstkonto`;
const GONE = `delete deleted del discard discarded remove removed trash trashed erased purged anonymized
  anonymised withdrawn geloscht geloescht entfernt supprime supprimee eliminado eliminada borrado
  baja excluido apagado eliminato cancellato verwijderd usuniety usuniete skasowany slettet
  raderad borttagen poistettu silindi silinmis удален удалена удалено 删除 刪除 削除 삭제 탈퇴`;
/** `deletion` alone may be a request or a token. */
const GONE_NOUNS = `deletion removal withdrawal erasure loeschung suppression`;
const IN = `active activ activated activate aktiv aktiviert actif activee activo activa ativo ativa attivo
  attiva actief aktywny aktywne aktif aktivt активен активна активный enable enabled enabling
  freigeschaltet freigegeben habilitado habilitada abilitato ingeschakeld wlaczony approve
  approved allowed permitted authorized authorised acceptedapplication applicationaccepted
  applicationapproved accessgranted hasaccess isaccepted genehmigt approuve aprobado aprovado approvato goedgekeurd 启用 激活 有効
  활성`;
const IN_NOUNS = `activation approval aktivierung`;
const LIFTING = `unlocked unblocked unbanned reactivated reinstated restored`;
const VERIFIED = `verify verified verifed confirm confirmed validated validate valid verifiziert bestatigt
  bestaetigt verifie verifiee confirme confirmee valide verificado verificada confirmado
  confirmada validado verificato verificata confermato geverifieerd bevestigd zweryfikowany
  potwierdzony dogrulandi onayli verificeret подтвержден подтверждена verif authenticated 验证 驗證 認証
  인증`;
const VERIFIED_NOUNS = `verification confirmation validation verifizierung bestaetigung`;
const UNVERIFIED = `unverified unconfirmed unvalidated`;
/** What is asked for beside a password, in words that are said together. */
const SECOND =
  "two 2 second dual double multi strong zwei zweiter zweite doble dos double deux dois duas due iki twee tweede"
    .split(" ")
    .flatMap((count) =>
      "factor factors faktor facteur facteurs factores fatores fattori step steps auth authentication authentification verification pasos etapas stappen"
        .split(" ")
        .map((of) => count + of),
    )
    .join(" ");
const PLAIN: Readonly<Record<PlainRole, string>> = {
  state: `status lifecycle standing estatus state stat statut etat estado stato stan zustand situacao situacion durum tila
    tillstand статус 状态 狀態 状態 상태`,
  email: `email emails mail emailaddress courriel correo`,
  phone: `phone phones mobile tel telephone cell cellphone sms handy telefon telefono telefone msisdn
    gsm movil celular phonenumber 手机`,
  time: `at on after date time ts timestamp datetime since utc gmt am le el dato datum fecha data 时间 日時`,
  until: `until till expires expiry expiration expire end ends bis jusqu hasta ate fino tot through thru`,
  not: `not non nicht`,
  account: `is are was has have been user usr account acct acc to in out flag flg
    ind indicator yn bool currently soft softly permanent permanently temporary temporarily temp
    system sys admin manually self read only marked record row ist est es konto benutzer nutzer
    utilisateur compte usuario cuenta conta utente gebruiker uzytkownik bruger kullanici hesap
    registration registered validity пользователь フラグ 用户 是否 账户 帐号`,
  person: `member membership customer client person people profile employee staff student teacher agent
    contact patient player subscriber partner vendor seller buyer tenant applicant candidate
    volunteer owner author guest kunde mitglied klant cliente identity entity`,
  part: `number no num nr address addr primary main`,
  companion: `reason reasons by note notes comment comments message msg duration cause explanation details
    remark remarks grund motivo raison origin level rank tier code codes text id`,
  other: `version token tokens key keys secret secrets seed seeds hash digest url uri link path href ids uuid count
    counter total attempt attempts tries retries failed failures failure score points ip ips ua
    template format color icon emoji label title name lang locale sent resent request requests
    requested limit quota balance amount price fee cost currency percent rate ratio last first
    previous next contacts friends followers following list newsletter newsletters subscription
    subscriptions plan plans trial premium billing payment payments card cards invoice order
    orders shipping delivery cart coupon discount promo promotion promotions campaign marketing
    ads advert notification notifications notify push alert alerts reminder reminders messaging
    mailing mailings post posts topic topics thread threads reply replies like likes follow friend
    group groups team teams org organization organisation company employer job jobs project
    projects task tasks issue issues device devices session sessions browser webhook webhooks
    oauth saml ldap integration integrations beta theme dark mode layout sidebar toolbar editor
    autoplay autosave sync backup cloud storage disk file files photo photos avatar image images
    picture cover video audio voice camera screen badge badges achievement reward rewards streak
    quest wallet crypto blockchain stock inventory warehouse shop product products item items pet
    car vehicle driver license licence permit visa passport tax vat kyc aml age document documents
    domain website street apartment city postal zip postcode country region location geo gps timezone
    marital relationship civil family smoking health vaccination insurance employment work shift
    leave vacation attendance school grade class course courses lesson exam degree military
    residence residency immigration citizenship credit loan bank banking iban
    factor two biometric biometrics fingerprint face
    captcha cookie cookies consent terms tos privacy policy dnd presence online typing mood
    seen setup prompt prompted challenge tutorial onboarding tour wizard intro welcome survey feedback gift referral affiliate
    donation donor sponsor twitter facebook google github apple linkedin discord slack telegram
    stripe paypal manager supervisor parent spouse creator inviter birth birthday dob gender
    password passwd pwd pass credentials credential pin question answer recovery reset remember
    refresh api calendar event events meeting appointment booking reservation game match days
    hours minutes seconds months years interval tracking analytics telemetry search filter
    directory guid channel captions view views tab widget dashboard report reports export import
    language translation font zoom sound sounds vip loyalty bonus commission payout payouts
    deposit emergency proxy vpn ssh gpg public published visible visibility hidden draft review
    reviews rating vote votes poll quiz preference preferences setting settings option options
    config configuration users accounts method via`,
  feature: `site app forum chat platform portal web community store feature features tool
    module service services sso preview demo`,
  entry: `login logon signin sign log authenticate authentication access`,
  may: `can may able allow allows permit permits`,
  maynot: `cannot cant unable maynot`,
  sort: `type kind sort`,
  factor: `2fa tfa twofa mfa 2sv totp totps hotp u2f yubikey yubikeys duo authy authenticator authenticators
    google2fa googleauthenticator 2factor authfactor authfactors
    authenticationfactor authenticationfactors additionalfactor multistep backupcode backupcodes
    recoverycodes scratchcode scratchcodes emergencycodes lookupsecret lookupsecrets googleauth
    gauth smsauth smsauthentication hardwaretoken hwtoken softtoken securid zweifach двухфакторная
    двухэтапная 双因素 两步 二段階 二要素 ${SECOND}`,
  passkey: `passkey passkeys webauthn fido fido2 securitykey securitykeys`,
  otp: `otp`,
  salt: `salt salts salz zout соль 盐 盐值 pepper`,
};

/** Each word once, beside what it does. */
export const WORDS: Entries = [
  ...flags(OUT, { flag: "yes", exclusion: "disabled", noun: false }),
  ...flags(OUT_NOUNS, { flag: "yes", exclusion: "disabled", noun: true }),
  ...flags({ machine: MACHINE }, { flag: "yes", exclusion: "service_account", noun: false }),
  ...flags({ delete: GONE }, { flag: "yes", exclusion: "deleted", noun: false }),
  ...flags({ delete: GONE_NOUNS }, { flag: "yes", exclusion: "deleted", noun: true }),
  ...flags({ active: IN }, { flag: "no", exclusion: "disabled", noun: false }),
  ...flags({ active: IN_NOUNS }, { flag: "no", exclusion: "disabled", noun: true }),
  ...flags({ [LIFTED]: LIFTING }, { flag: "no", exclusion: "disabled", noun: false }),
  ...wordsAs<WordRole>(VERIFIED, { role: "verified", noun: false, negated: false }),
  ...wordsAs<WordRole>(VERIFIED_NOUNS, { role: "verified", noun: true, negated: false }),
  ...wordsAs<WordRole>(UNVERIFIED, { role: "verified", noun: false, negated: true }),
  ...Object.entries(PLAIN).flatMap(([role, words]) =>
    wordsAs<WordRole>(words, { role: role as PlainRole }),
  ),
];

function flags(
  words: Readonly<Record<string, string>>,
  flag: Omit<FlagWord, "role" | "group">,
): Entries {
  return Object.entries(words).flatMap(([group, text]) =>
    wordsAs<WordRole>(text, { role: "flag", group, ...flag }),
  );
}

/** Every word of a text, parted by white space, beside what it means. */
export function wordsAs<Meaning>(
  words: string,
  meaning: Meaning,
): readonly (readonly [string, Meaning])[] {
  return words.split(/\s+/).map((word) => [word, meaning]);
}
