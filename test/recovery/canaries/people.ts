/** Invented people of whom everything is a canary: contacts, hashes, names, second factors, passwords. */

import { hashSync } from "bcryptjs";
import type { Aviary } from "./canary.js";

export interface Person {
  readonly email: string;
  readonly phone: string;
  readonly name: string;
  readonly password: string;
  readonly totp: string;
  /** `$2b$`, and the password verifies. */
  readonly bcrypt: string;
  readonly argon2: string;
}

/** As often as it is called somebody else, up to 99 people. */
export function peopleOf(aviary: Aviary): () => Person {
  let count = 0;
  return () => {
    count += 1;
    const n = String(count).padStart(2, "0");
    const local = aviary.keep(`the local part of email ${n}`, `${n}.rot.${n}.kehlchen`);
    const domain = aviary.keep(`the domain of email ${n}`, `vogel${n}haus.example`);
    const phone = `+12025550${count + 99}`;
    aviary.keep(`phone ${n}`, phone.slice(2));
    const password = aviary.keep(`password ${n}`, `Zaunkoenig-${n}-singt!`);
    return {
      email: `${local}@${domain}`,
      phone,
      password,
      name: aviary.keep(`name ${n}`, `Robin ${n} Goldammer`),
      totp: aviary.keep(`second factor ${n}`, `MZUW4Y3IIVTWO${letters(count)}KRUGC5A`),
      bcrypt: bcryptOf(aviary, n, password),
      argon2: argon2Of(aviary, n),
    };
  };
}

/** The last letter of 16 bytes has four bits that are 0. */
function bcryptOf(aviary: Aviary, n: string, password: string): string {
  const salt = aviary.keep(
    `bcrypt salt ${n}`,
    `Sperling.Nest.Salz${n}./e`.slice(0, 21).padEnd(22, "e"),
  );
  const hash = hashSync(password, `$2b$04$${salt}`);
  aviary.keep(`bcrypt digest ${n}`, hash.slice(-31));
  return hash;
}

function argon2Of(aviary: Aviary, n: string): string {
  const salt = base64(`Amsel-Argon-Salz${n}`);
  const digest = base64(`Amsel-Argon-Ergebnis-${n}-ganz-lang`.slice(0, 32));
  aviary.keepBase64(`argon2 salt ${n}`, salt);
  aviary.keepBase64(`argon2 digest ${n}`, digest);
  return `$argon2id$v=19$m=1024,t=2,p=1$${salt}$${digest}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64").replace(/=+$/, "");
}

function letters(count: number): string {
  return String.fromCharCode(65 + Math.floor(count / 26), 65 + (count % 26));
}
