/** Exports in which every secret and contact is a canary: some rows that go through, and one of each kind that doesn't. */

import type { Aviary } from "./canary.js";
import { type Person, peopleOf } from "./people.js";

/** What is written into a working directory, by file names. */
export interface Exports {
  readonly files: Readonly<Record<string, string>>;
  /** Two whose hashes go through; the files name them in rows 1 and 2. */
  readonly proved: readonly [Person, Person];
  readonly apiKey: string;
  readonly signerKey: string;
}

const HEADER =
  "id,email,email_verified,phone,phone_verified,password_hash,disabled,name,totp_secret\n";

export function makeExports(aviary: Aviary): Exports {
  const next = peopleOf(aviary);
  const [ann, bob] = [next(), next()];
  const signerKey = secretBytes(aviary, "the signer key", "Pirol-Unterschriften-Schluessel", 64);
  const saltSeparator = secretBytes(aviary, "the salt separator", "Stieglitz-Trenner", 18);
  const apiKey = aviary.keep("the API key", "Kernbeisser.API-Schluessel!7731");
  const wrong = aviary.keep("a wrong password", "Wiedehopf-falsch-0815");
  const pepper = aviary.keep("the pepper", "Gartenrotschwanz-Pfeffer");
  const config = { rounds: 8, mem_cost: 4, base64_salt_separator: saltSeparator };
  return {
    proved: [ann, bob],
    ...{ apiKey, signerKey },
    files: {
      "users.csv": table(aviary, next, ann, bob),
      "changed.csv": changed(next, ann, bob),
      "many.csv": many(next),
      "no-header.csv": member("1", ann) + member("2", bob),
      "firebase.json": firebase(aviary, next),
      "auth0.ndjson": auth0(next, ann, bob),
      "auth0-passwords.ndjson": auth0Passwords(next, ann, bob),
      "realm.json": keycloak(aviary, next),
      "hash-config.txt": `hash_config { algorithm: SCRYPT, base64_signer_key: ${signerKey}, base64_salt_separator: ${saltSeparator}, rounds: 8, mem_cost: 4, }`,
      "hash-config-broken.txt": `hash_config { algorithm: SCRYPT, base64_signer_key: ${signerKey.slice(0, -9)}, rounds: ${saltSeparator}`,
      "hash-config.json": JSON.stringify(config),
      "api.key": `${apiKey}\n`,
      "two-lines.key": `${apiKey}\n${apiKey}\n`,
      "pepper.txt": `${pepper}\n`,
      "passwords.csv": `user,password\n${ann.email},${ann.password}\n${bob.email},${bob.password}\n`,
      "wrong-passwords.csv": `${ann.email},${wrong}\n${next().phone},${wrong}\n${bob.email},${bob.password}\n`,
      "broken-passwords.csv": `${ann.email},"${ann.password}\n${bob.email},${bob.password}\n`,
      "scrypt-passwords.csv": `wren-1,${wrong}\n`,
      "raw-hashes.txt": `${refusedHashes(aviary).join("\n")}\n`,
    },
  };
}

/** Bytes in base64, as scrypt parameters are. */
function secretBytes(aviary: Aviary, name: string, text: string, length: number): string {
  const bytes = Buffer.from(text.repeat(length).slice(0, length));
  return aviary.keepBase64(name, bytes.toString("base64"));
}

function row(fields: readonly string[]): string {
  return `${fields.join(",")}\n`;
}

/** Whoever needs no care goes through: verified contacts, a good hash. */
function member(id: string, { email, phone, bcrypt, name, totp }: Person): string {
  return row([id, email, "true", phone, "true", bcrypt, "", name, totp]);
}

/** Hashes that no core takes, one of each kind. */
function refusedHashes(aviary: Aviary): string[] {
  const digest = aviary.keep("a refused digest", "UhuUhuKauzKauzSperberFalkeMilan");
  const salt = aviary.keep("a refused salt", "BuntspechtSalz");
  const hex = aviary.keep("a refused digest in hex", "5f4dcc3b5aa765d61d8327deb882cf99");
  const plain = aviary.keep("a password in the clear", "Nachtigall im Klartext 4711");
  const base64 = secretBytes(aviary, "a refused digest in base64", "Seidenschwanz-Hash", 32);
  return [
    ...[hex, plain, base64, `${salt}:${hex}`, `${hex}:${salt}`],
    `$2b$10$${salt}${digest.slice(0, 20)}`,
    `$2b$99$${salt}${salt.slice(0, 8)}${digest}`,
    `secret:$2b$10$${salt}${salt.slice(0, 8)}${digest.slice(0, 30)}\u00e9`,
    `pbkdf2_sha256$600000$${salt}$${base64}`,
    `md5$${salt}$${hex}`,
    `$1$${salt.slice(0, 8)}$${digest.slice(0, 22)}`,
    `$6$${salt}$${digest}${digest}${digest.slice(0, 24)}`,
    `$P$B${salt.slice(0, 8)}${digest.slice(0, 22)}`,
    `$argon2id$v=19$m=1024,t=2$${salt}$${base64}`,
    `$argon2id$v=19$m=1024,t=2,p=1$${base64}`,
    `$f_scrypt$${base64}$${salt}$m=14$r=8`,
    `{SSHA}${base64}`,
    `{crypt}$1$${salt.slice(0, 8)}$${digest.slice(0, 22)}`,
    `*${hex.toUpperCase()}E0DE8E`,
    `scrypt:32768:8:1$${salt}$${hex}${hex}`,
    JSON.stringify({ algorithm: "unheard-of", hash: base64, salt }),
    JSON.stringify({ passwordHash: base64, salt: base64 }),
  ];
}

function table(aviary: Aviary, next: () => Person, ann: Person, bob: Person): string {
  const refused = refusedHashes(aviary).filter((hash) => !hash.includes('"'));
  const people = Array.from({ length: 12 }, next);
  const one = (index: number): Person => people[index] ?? ann;
  return [
    HEADER,
    member("1", ann),
    member("2", bob),
    row(["3", one(0).email, "true", "", "", one(0).argon2, "", one(0).name, ""]),
    row(["4", one(1).email, "true", "", "", "", "", "", ""]),
    row(["5", "", "", one(1).phone, "true", "", "", "", ""]),
    row(["6", one(2).email, "true", one(2).phone, "true", "", "", "", ""]),
    // Duplicates: of a contact in another case, of an id.
    row(["7", ann.email.toUpperCase(), "true", "", "", ann.bcrypt, "", "", ""]),
    row(["1", one(3).email, "true", one(3).phone, "true", one(3).bcrypt, "", "", ""]),
    // Left out: disabled, unverified, nothing to go by.
    row(["9", one(4).email, "true", "", "", one(4).bcrypt, "true", one(4).name, ""]),
    row(["10", one(5).email, "false", one(5).phone, "false", "", "", "", ""]),
    row(["11", "", "", "", "", one(5).bcrypt, "", one(5).name, one(5).totp]),
    // Contacts that can't be used.
    row(["12", one(6).email.replace("@", " at "), "true", "", "", one(6).bcrypt, "", "", ""]),
    row(["13", one(6).phone, "true", one(6).email, "true", "", "", "", ""]),
    row(["14", `"${one(6).email};${one(7).email}"`, "true", "", "", "", "", "", ""]),
    row(["15", `'${one(7).email}`, "true", `'${one(7).phone}`, "true", "", "", "", ""]),
    row(["16", "", "", one(7).phone.slice(1), "true", "", "", "", ""]),
    row(["17", "", "", `(202) 555-0${one(7).phone.slice(-3)}`, "true", "", "", "", ""]),
    row(["18", `${one(7).email}\u200b`, "true", "", "", "", "", "", ""]),
    row(["19", "", "", `${one(7).phone}/${one(6).phone}`, "true", "", "", "", ""]),
    // Ids that are contacts, with and without an outcome at the core.
    row([one(8).email, one(8).email, "true", "", "", one(8).bcrypt, "", "", ""]),
    row([one(8).phone, "", "", one(8).phone, "true", "", "", "", ""]),
    row([one(9).phone.slice(1), "", "", one(9).phone, "true", "", "", "", ""]),
    row([`sms|${one(10).phone}`, "", "", one(10).phone, "true", "", "", "", ""]),
    row([`mailto:${one(9).email}`, one(9).email, "true", "", "", refused[0] ?? "", "", "", ""]),
    row([encodeURIComponent(one(10).email), one(10).email, "false", "", "", "", "", "", ""]),
    row([one(11).phone.slice(1), "", "", one(11).phone, "false", "", "", "", ""]),
    row([one(11).email, one(11).email, "true", "", "", one(11).bcrypt, "true", "", ""]),
    ...refused.map((hash, index) =>
      row([`r${index}`, next().email, "true", "", "", `"${hash}"`, "", "", ""]),
    ),
    // Damaged rows, the last of which swallows the rest of the file.
    row(["90", next().email, "true", next().phone]),
    row(["91", next().email, "true", next().phone, "true", next().bcrypt, "", "", "", next().name]),
    row(["92", next().email, "true", "", "", `"${next().bcrypt}`, "", "", ""]),
    member("93", next()),
  ].join("");
}

/** A newer export of `users.csv`: other contacts and hashes under known ids, and most people gone. */
function changed(next: () => Person, ann: Person, bob: Person): string {
  const [x, y, z] = [next(), next(), next()];
  return [
    HEADER,
    member("1", { ...ann, bcrypt: x.bcrypt }),
    member("2", { ...bob, email: y.email }),
    row(["4", z.email, "true", "", "", z.bcrypt, "", "", ""]),
    row(["5", "", "", z.phone, "true", "", "", "", ""]),
    row(["6", x.email, "true", x.phone, "true", "", "true", "", ""]),
  ].join("");
}

/** For cores that repeat what they were sent: enough people for each of their ways to do it. */
function many(next: () => Person): string {
  const members = Array.from({ length: 8 }, next).map((person, index) =>
    member(`m${index}`, person),
  );
  const others = Array.from({ length: 6 }, next).map(({ email, phone }, index) =>
    index % 2 === 0
      ? row([`n${index}`, email, "true", phone, "true", "", "", "", ""])
      : row([`n${index}`, "", "", phone, "true", "", "", "", ""]),
  );
  return HEADER + members.join("") + others.join("");
}

function firebase(aviary: Aviary, next: () => Person): string {
  let count = 0;
  const user = (id: string, rest: object): object => {
    count += 1;
    const { email, name } = next();
    const passwordHash = secretBytes(aviary, `scrypt hash ${count}`, `Scrypt-Hash-${count}-`, 64);
    const salt = secretBytes(aviary, `scrypt salt ${count}`, `Scrypt-Salz-${count}-`, 10);
    const account = { localId: id, email, emailVerified: true, displayName: name };
    return { ...account, passwordHash, salt, ...rest };
  };
  const second = next();
  const users = [
    user("wren-1", {}),
    user("wren-2", { phoneNumber: second.phone, mfaInfo: [{ phoneInfo: next().phone }] }),
    user("wren-3", { passwordHash: "ab", salt: "Bw==" }),
    user("wren-4", { disabled: true, customAttributes: JSON.stringify({ nick: second.name }) }),
    user("wren-5", { emailVerified: false, providerUserInfo: [{ rawId: second.email }] }),
    user(second.email, { email: second.email }),
  ];
  return JSON.stringify({ users });
}

function auth0(next: () => Person, ann: Person, bob: Person): string {
  const line = (id: string, { email, name, phone }: Person, rest: object = {}): string => {
    const identity = { connection: "Username-Password-Authentication", provider: "auth0" };
    const identities = [{ ...identity, user_id: id, isSocial: false }];
    const user = { user_id: `auth0|${id}`, email, email_verified: true, name, identities };
    return `${JSON.stringify({ ...user, user_metadata: { phone }, ...rest })}\n`;
  };
  const sms = next();
  const smsUser = { user_id: `sms|${sms.phone}`, phone_number: sms.phone, phone_verified: true };
  return [
    line("a1", ann),
    line("b1", bob),
    line("c1", next(), { blocked: true }),
    line("d1", next(), { email_verified: false }),
    line("e1", next(), { multifactor: ["guardian"], email: next().email.replace("@", "@@") }),
    line("f1", sms, { ...smsUser, email: undefined, identities: [] }),
    `{"user_id": "auth0|g1", "email": "${next().email}", \n`,
  ].join("");
}

function auth0Passwords(next: () => Person, ann: Person, bob: Person): string {
  const line = (id: string, email: string, passwordHash: string): string =>
    `${JSON.stringify({ _id: { $oid: id }, email, passwordHash, connection: "Username-Password-Authentication", tenant: "acme" })}\n`;
  return [
    line("a1", ann.email, ann.bcrypt),
    line("b1", bob.email, bob.bcrypt),
    line("b1", bob.email, next().bcrypt),
    line("65ff", next().email, next().bcrypt),
    `{"email": "${next().email}", "passwordHash": "${next().bcrypt}"\n`,
    line("d1", next().email, next().bcrypt.slice(0, 40)),
  ].join("");
}

function keycloak(aviary: Aviary, next: () => Person): string {
  const user = (n: number, algorithm: string, rest: object = {}): object => {
    const { email, name, totp, phone } = next();
    const value = secretBytes(aviary, `Keycloak hash ${n}`, `Realm-Hash-${n}-`, 32);
    const salt = secretBytes(aviary, `Keycloak salt ${n}`, `Realm-Salz-${n}-`, 16);
    const password = {
      type: "password",
      secretData: JSON.stringify({ value, salt, additionalParameters: {} }),
      credentialData: JSON.stringify({
        ...{ hashIterations: 5, algorithm },
        additionalParameters: {
          ...{ hashLength: ["32"], memory: ["7168"], type: ["id"], version: ["1.3"] },
          parallelism: ["1"],
        },
      }),
    };
    const otp = { type: "otp", secretData: JSON.stringify({ value: totp }), credentialData: "{}" };
    return {
      ...{ id: `00000000-0000-4000-8000-00000000000${n}`, username: email, email, lastName: name },
      ...{ enabled: true, emailVerified: true, attributes: { phoneNumber: [phone] } },
      ...{ credentials: [password, otp], ...rest },
    };
  };
  const users = [
    user(1, "argon2"),
    user(2, "pbkdf2-sha256"),
    user(3, "unheard-of"),
    user(4, "argon2", { enabled: false }),
    user(5, "argon2", { emailVerified: false }),
  ];
  return JSON.stringify({ realm: "acme", users });
}
