import { describe, expect, it } from "vitest";
import { findLegacyHash } from "../../../src/hash/legacy/find-legacy-hash.js";
import { normalizeHash } from "../../../src/hash/normalize.js";
import { tried } from "../../support/repeated.js";
import { ANSWERS, contextOf, FORMATS, rawOf, readAs } from "./support/known-answers.js";

describe("a hash that no core takes, made by its format's own library", () => {
  const answers = FORMATS.flatMap((format) =>
    tried(
      ANSWERS.filter((answer) => answer.format === format),
      1,
    ),
  );
  it.each(answers)("verifies its password and no other: $format, $made", async (answer) => {
    const { verify } = readAs(answer.format, rawOf(answer), contextOf(answer));
    expect(await verify(answer.password)).toBe(true);
    expect(await verify(`!${answer.password}`)).toBe(false);
    expect(await verify("")).toBe(false);
  });

  const later = ANSWERS.filter(({ hash = "" }) => /^\$md5\$\w|:3_32_2_\d+$/.test(hash));
  const forms = new Map(later.map((answer) => [answer.hash?.replace(/^[^:]+:[^:]+/, ""), answer]));
  it.each([...forms.values()])("verifies the forms that came later: $made", async (answer) => {
    const { verify } = readAs(answer.format, rawOf(answer), contextOf(answer));
    expect(await verify(answer.password)).toBe(true);
    expect(await verify(`!${answer.password}`)).toBe(false);
  });

  it("is of one of at least seventy formats, each with known answers", () => {
    expect(FORMATS.length).toBeGreaterThanOrEqual(70);
  });

  it("isn't taken by a core, but for those that a pepper or a vendor's name makes others", () => {
    const taken = ANSWERS.filter((answer) => {
      const { vendor } = contextOf(answer);
      return normalizeHash(rawOf(answer), { vendor }).verdict === "accepted";
    });
    expect(new Set(taken.map(({ format }) => format))).toEqual(
      new Set([
        "bcrypt_of_salt_joined",
        "bcrypt_peppered",
        "argon2_peppered",
        "firebase_scrypt_other_key",
      ]),
    );
  });
});

describe("what stands around a hash", () => {
  const [django] = ANSWERS;
  const { hash = "", password = "", format = "" } = django ?? {};
  const crypt = ANSWERS.find((answer) => answer.format === "sha512_crypt");
  const ldap = ANSWERS.find((answer) => answer.format === "ldap_salted_sha1");
  it.each([
    ["quotation marks", `"${hash}"`],
    ["white space", `  ${hash}\r\n`],
    ["percent-encoding", encodeURIComponent(hash)],
    ["backslashes before dollar signs", hash.replaceAll("$", "\\$")],
    ["base64 of the whole", Buffer.from(hash).toString("base64")],
    ["an object with one hash field", JSON.stringify({ password_hash: hash })],
    [
      "Clerk's row",
      JSON.stringify({ password_digest: hash, password_hasher: "pbkdf2_sha256_django" }),
    ],
  ])("is undone: %s", async (_what, text) => {
    const { verify } = readAs(format, { kind: "text", text });
    expect(await verify(password)).toBe(true);
  });

  it.each([
    ["{CRYPT}", `{CRYPT}${crypt?.hash}`, "sha512_crypt"],
    ["{SHA512-CRYPT}", `{SHA512-CRYPT}${crypt?.hash}`, "sha512_crypt"],
    [
      "LDIF's attribute",
      `userPassword:: ${Buffer.from(ldap?.hash ?? "").toString("base64")}`,
      "ldap_salted_sha1",
    ],
  ])("is dropped: %s", (_what, text, name) => {
    readAs(name, { kind: "text", text });
  });
});

/** Salt and hash of a bcrypt text. */
const BODY = `${"aB3".repeat(7)}u${"aB3".repeat(10)}u`;

describe("a parameter out of bounds", () => {
  const short = Buffer.alloc(12, 1).toString("base64");
  const bytes = Buffer.alloc(32, 1).toString("base64");
  it.each([
    ["iterations", `pbkdf2_sha256$5000001$seasalt$${bytes}`, "django_pbkdf2_sha256"],
    [
      "iterations",
      `$pbkdf2-sha512$i=3000000,l=128$c2VhLXNhbHQ=$${Buffer.alloc(128, 1).toString("base64")}`,
      "kratos_pbkdf2",
    ],
    ["hash", `$pbkdf2-sha256$i=1000,l=12$c2VhLXNhbHQ=$${short}`, "kratos_pbkdf2"],
    ["memory", `$scrypt$ln=19,r=8,p=1$c2VhLXNhbHQ=$${bytes}`, "passlib_scrypt"],
    ["iterations", `$scrypt$ln=17,r=8,p=64$c2VhLXNhbHQ=$${bytes}`, "passlib_scrypt"],
    ["hash", `$scrypt$ln=10,r=8,p=1$c2VhLXNhbHQ=$${short}`, "passlib_scrypt"],
    ["iterations", `$6$rounds=999999999$saltstring$${"a".repeat(86)}`, "sha512_crypt"],
    ["iterations", `$sha1$2000000$saltstring$${"a".repeat(28)}`, "sha1_crypt"],
    ["iterations", `$P$S12345678${"a".repeat(22)}`, "phpass"],
    ["iterations", `$P$012345678${"a".repeat(22)}`, "phpass"],
    ["iterations", `$wp$2y$17$${BODY}`, "wordpress_bcrypt"],
    ["iterations", `$2x$17$${BODY}`, "bcrypt_2x"],
    [
      "memory",
      `$argon2id$v=19$m=524288,t=1,p=1$c2VhLXNhbHQtMTIz$${Buffer.alloc(40, 1).toString("base64")}`,
      "argon2",
    ],
    [
      "iterations",
      `$argon2id$v=19$m=65536,t=100,p=1$c2VhLXNhbHQtMTIz$${Buffer.alloc(40, 1).toString("base64")}`,
      "argon2",
    ],
  ])("is named: %s in %s", (outOfBounds, text, format) => {
    const parsed = findLegacyHash({ kind: "text", text }, contextOf());
    expect(parsed).toEqual({ format, outOfBounds });
  });

  it.each([
    ["Devise", { vendor: "devise", pepper: "sesame" }, "bcrypt_of_salt_joined", 14],
    [
      "Flask-Security",
      { vendor: "flask-security", pepper: "sesame" },
      "bcrypt_of_hmac_sha512_base64",
      15,
    ],
    ["WoltLab", { vendor: "woltlab" }, "bcrypt_of_bcrypt_twice", 14],
    [
      "SMF",
      { vendor: "smf", userNames: ["ann", "ann@example.com", "1"] },
      "bcrypt_of_user_name_before",
      14,
    ],
    ["a pepper of unknown form", { pepper: "sesame" }, "bcrypt_peppered", 12],
  ])("counts all that is tried: bcrypt of %s", (_who, context, format, most) => {
    const parsed = (cost: number) =>
      findLegacyHash({ kind: "text", text: `$2a$${cost}$${BODY}` }, { ...contextOf(), ...context });
    expect(parsed(most)).not.toHaveProperty("outOfBounds");
    expect(parsed(most + 1)).toEqual({ format, outOfBounds: "iterations" });
  });

  it("leaves what frameworks set by default within them", () => {
    const texts = [
      `pbkdf2_sha256$1200000$seasalt$${bytes}`,
      `$6$rounds=656000$saltstring$${"a".repeat(86)}`,
      `scrypt:32768:8:1$seasalt$${"ab".repeat(64)}`,
      `$P$B12345678${"a".repeat(22)}`,
      `$S$D12345678${"a".repeat(43)}`,
      `$wp$2y$12$${BODY}`,
    ];
    const parsed = texts.map((text) => findLegacyHash({ kind: "text", text }, contextOf()));
    expect(parsed.filter((one) => one === null || "outOfBounds" in one)).toEqual([]);
  });
});

it("a password of more than 4096 bytes never matches, and costs nothing", async () => {
  for (const answer of ANSWERS.slice(0, 3)) {
    const { verify } = readAs(answer.format, rawOf(answer), contextOf(answer));
    expect(await verify("p".repeat(4097))).toBe(false);
  }
});

/** What these systems make of such a password before they hash it; the hashes are by Python's hashlib and crypt. */
describe("a hash of a password that its system changes first", () => {
  const QUOTED = `it's "quoted" \\`;
  it.each([
    ["WordPress' slashes", "phpass", "$P$5wOrdPre5SdiuGqdUUCmEpyISbRXY11", QUOTED],
    [
      "WordPress 6.8's slashes",
      "wordpress_bcrypt",
      "$wp$2y$04$abcdefghijklmnopqrstuuUFNbqMX1vyLCIMkI2E4Pkm0r.L6GB..",
      QUOTED,
    ],
    [
      "WordPress, which cuts off white space of ASCII alone",
      "wordpress_bcrypt",
      "$wp$2y$04$abcdefghijklmnopqrstuuICMJOXC2Q.gfiBNi86rg3WzD8JxrsW.",
      "geheim\u3000",
    ],
    ["phpBB's HTML", "phpbb3", "$H$5phpBB3xxUXxOLdz0EK3QECgCg54ft.", `Tom & <Jerry> "it's"`],
  ])("verifies the password as typed: %s", async (_what, format, text, password) => {
    const { verify } = readAs(format, { kind: "text", text });
    expect(await verify(password)).toBe(true);
    expect(await verify(`${password}x`)).toBe(false);
    expect(await verify(password.replaceAll(/\W/g, ""))).toBe(false);
  });

  it.each([
    ["as its registration does", "9f38a0a3c207c36adfd86ade5404cf8a4105daec"],
    ["as its sign-in does", "092ca7cd6bd75b9503c482c51d31a3b8f481212a"],
  ])("verifies OpenCart's, written as HTML does %s", async (_what, text) => {
    const raw = { kind: "salted", hash: text, salt: "Kd83hsKx0" } as const;
    const { verify } = readAs("column_salted_sha1", raw);
    expect(await verify(`Tom & <Jerry> "it's"`)).toBe(true);
    expect(await verify("Tom  Jerry its")).toBe(false);
  });
});
