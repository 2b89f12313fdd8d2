import { describe, expect, test } from "vitest";
import { readStanding, readVerified } from "../../../src/source/generic/account-flags.js";
import { meaningOf, PROFILE } from "../../../src/source/generic/field-names.js";

/** The run's clock. */
const NOW = Date.parse("2026-11-22T12:00:00Z");

/** What a column says of an account, by its name alone. */
function standingUnder(name: string, value: string): string | null {
  const meaning = meaningOf(name);
  if (meaning.kind !== "exclusion") return meaning.kind;
  return readStanding(value, meaning.flag, meaning.exclusion, NOW);
}

function verifiedUnder(name: string, value: string) {
  const meaning = meaningOf(name);
  return meaning.kind === "verified"
    ? [meaning.of, readVerified(value, meaning.flag)]
    : meaning.kind;
}

describe("a name of real applications is heard", () => {
  test.each([
    ["block", "1", "disabled"],
    ["isForbidden", "true", "disabled"],
    ["activated", "false", "disabled"],
    ["discarded_at", "2024-01-02 03:04:05", "deleted"],
    ["ban", "1", "disabled"],
    ["user_banned", "1", "disabled"],
    ["is_activated", "0", "disabled"],
    ["frozen", "1", "disabled"],
    ["lock", "1", "disabled"],
    ["account_active", "0", "disabled"],
    ["login_enabled", "0", "disabled"],
    ["can_login", "0", "disabled"],
    ["user_enabled", "f", "disabled"],
    ["enable", "0", "disabled"],
    ["is_enable", "0", "disabled"],
    ["active_flag", "N", "disabled"],
    ["del_flag", "1", "deleted"],
    ["is_del", "1", "deleted"],
    ["date_deleted", "2024-01-02", "deleted"],
    ["deletion_date", "2024-01-02", "deleted"],
    ["suspended_on", "2024-01-02", "disabled"],
    ["silenced_till", "2027-01-02", "disabled"],
    ["blacklisted", "yes", "disabled"],
    ["use_yn", "N", "disabled"],
    ["accountNonLocked", "false", "disabled"],
    ["ISACTIVE", "0", "disabled"],
    ["userbanned", "1", "disabled"],
    ["Status [READ ONLY]", "Suspended", "disabled"],
    ["userAccountControl", "514", "disabled"],
    ["userAccountControl", "512", null],
    ["gesperrt", "1", "disabled"],
    ["gelöscht_am", "2024-01-02", "deleted"],
    ["compte_actif", "0", "disabled"],
    ["usuario_ativo", "1", null],
    ["заблокирован", "1", "disabled"],
    ["削除フラグ", "1", "deleted"],
    ["activated_at", "", "disabled"],
    ["activated_at", "2024-01-02", null],
    ["prohibit_login", "1", "disabled"],
    ["deny_login", "1", "disabled"],
    ["bar_login", "0", null],
    ["is_fired", "1", "disabled"],
    ["leaver", "1", "disabled"],
    ["is_anonymous", "true", "anonymous"],
    ["deleted_at", "0000-00-00", null],
  ])("%s with %j says %s", (name, value, standing) => {
    expect(standingUnder(name, value)).toBe(standing);
  });

  test.each([
    ["email_confirm", "0", "email", false],
    ["mail_confirmed", "1", "email", true],
    ["user_verified", "0", "any", false],
    ["email_status", "unverified", "email", false],
    ["email_status", "VERIFIED", "email", true],
    ["is_validated", "0", "any", false],
    ["verification_status", "pending", "any", false],
    ["phone_number_validated", "1", "phone", true],
    ["sms_verified", "no", "phone", false],
    ["email_unverified", "1", "email", false],
    ["email_unverified", "0", "email", true],
    ["correo_confirmado", "0", "email", false],
    ["verified_at", "", "any", false],
    ["verification_status", "verify", "any", "unread"],
    ["email_status", "verifiziert", "email", true],
    ["E-Mail geprüft", "ja", "email", true],
    ["Rufnummer geprueft", "0", "phone", false],
    ["E-Mail-Adresse bestätigt", "ja", "email", true],
    ["Email validée", "oui", "email", true],
    ["Correo electrónico verificado", "no", "email", false],
    ["E-mail confermata", "1", "email", true],
    ["Telefoon bevestigd", "ja", "phone", true],
    ["Adres e-mail potwierdzony", "tak", "email", true],
    ["E-posta onaylandı", "1", "email", true],
  ])("%s with %j is of %s and %s", (name, value, of, verified) => {
    expect(verifiedUnder(name, value)).toEqual([of, verified]);
  });
});

describe("an everyday name of a contact is heard", () => {
  test.each([
    ["email", "E-Mail-Adresse|Adresse électronique|Correo electrónico|Endereço de e-mail"],
    ["email", "Indirizzo e-mail|E-mailadres|Adres e-mail|E-posta adresi"],
    ["phone", "Rufnummer|Tel.-Nr.|Numéro de téléphone|Téléphone portable|Móvil|Telemóvel"],
    ["phone", "Cellulare|Mobiel nummer|Numer telefonu|TELEFON NUMARASI|Cep telefonu"],
  ])("as the %s: %s", (field, names) => {
    for (const name of names.split("|")) {
      expect([name, meaningOf(name)]).toMatchObject([name, { kind: "text", field }]);
      // As file systems and exports of some have it.
      expect(meaningOf(name.normalize("NFD"))).toMatchObject({ kind: "text", field });
    }
  });

  test.each([
    "Kd-Nr",
    "Kundennummer",
    "Kunden-Nr.",
    "N° client",
    "Número de cliente",
    "Numer klienta",
  ])("as the id: %s", (name) =>
    expect(meaningOf(name)).toMatchObject({ kind: "text", field: "id" }),
  );

  test.each([
    "Angelegt",
    "Angelegt am",
    "Mitglied seit",
    "Registriert am",
    "Fecha de alta",
    "Üyelik tarihi",
  ])("as when the user joined: %s", (name) =>
    expect(meaningOf(name)).toEqual({ kind: "notice", code: "joined_not_migrated" }),
  );

  test.each(["CEP", "Geprüft", "Onaylandı", "Festnetz", "Komórka"])("and %s is none", (name) => {
    expect(meaningOf(name)).toBe(PROFILE);
  });
});

describe("a name", () => {
  test.each([
    ["is_chatbanned", "flag"],
    ["ban_level", "companion"],
    ["lock_frobs", "flag"],
    ["email_blocked", "flag"],
    ["gdpr_deleted_at", "flag"],
    ["frobnicator_enabled", "weak"],
    ["artist_verified", "verification"],
    ["ban_reason", "companion"],
    ["customer_status", "code"],
    ["expires_at", "flag"],
  ])("such as %s isn't understood: %s", (name, about) => {
    expect(meaningOf(name)).toMatchObject({ kind: "unclear", about });
  });

  test.each([
    ...["banner_url", "lock_version", "activity_score", "blockchain_address", "unlock_token"],
    ...["newsletter_enabled", "has_active_subscription", "LockoutEnabled", "last_active_at"],
    ...["confirmation_sent_at", "can_delete", "approved_by", "unbanned_at", "blocked_users"],
  ])("such as %s is none of a flag", (name) => {
    expect(meaningOf(name)).toBe(PROFILE);
  });

  test("of a state is part of an address only beside one", () => {
    expect(meaningOf("address.state")).toBe(PROFILE);
    expect(meaningOf("state")).toMatchObject({ kind: "exclusion", flag: "word" });
  });
});

describe("a lock", () => {
  test.each([
    ["2019-01-01"],
    ["2026-11-22 11:59:59"],
    ["2026-11-22T13:00:00+02:00"],
    ["1704164645"],
    ["1704164645000"],
    ["20240102030405Z"],
  ])("until %s is over", (until) => {
    expect(standingUnder("locked_until", until)).toBe("over");
  });

  test.each([["2026-11-22 12:00:01"], ["2099-01-01"], ["infinity"], ["4102444800"], ["true"]])(
    "until %s isn't",
    (until) => {
      expect(standingUnder("banExpires", until)).toBe("disabled");
    },
  );

  test.each([["0000-00-00 00:00:00"], ["0"], [""], ["0001-01-01T00:00:00"], ["never"]])(
    "until %j never was",
    (until) => {
      expect(standingUnder("LockoutEnd", until)).toBeNull();
    },
  );

  test("ends an account that was for a time", () => {
    expect(standingUnder("valid_until", "2019-01-01")).toBe("disabled");
    expect(standingUnder("valid_until", "2099-01-01")).toBeNull();
    expect(standingUnder("accountExpires", "9223372036854775807")).toBeNull();
    expect(standingUnder("accountExpires", "131000000000000000")).toBe("disabled");
  });
});

describe("a word", () => {
  test.each([
    ["CONFIRMED", null],
    ["FORCE_CHANGE_PASSWORD", null],
    ["EXTERNAL_PROVIDER", null],
    ["RESET_REQUIRED", null],
    ["UNCONFIRMED", "disabled"],
    ["ARCHIVED", "disabled"],
    ["COMPROMISED", "disabled"],
    ["invited", "disabled"],
    ["draft", "disabled"],
    ["unverified", "disabled"],
    ["suspended", "disabled"],
    ["USER_STATE_ACTIVE", null],
    ["USER_STATE_INACTIVE", "disabled"],
    ["USER_STATE_LOCKED", "disabled"],
    ["USER_STATE_DELETED", "deleted"],
    ["USER_STATE_INITIAL", "disabled"],
    ["заблокирован", "disabled"],
    ["wyłączony", "disabled"],
    ["차단", "disabled"],
    ["활성", null],
    ["freigeschaltet", null],
    ["block", "unreadable"],
    ["activate", "unreadable"],
    ["gold", "unreadable"],
    ["1", "unreadable"],
  ])("of a status, %s, says %s", (word, standing) => {
    expect(standingUnder("status", word)).toBe(standing);
    expect(standingUnder("state", word)).toBe(standing);
  });
});
