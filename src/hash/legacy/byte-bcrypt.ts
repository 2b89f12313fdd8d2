/** bcrypt that bcryptjs doesn't compute: of a faulty version, and of bytes that are no text. */

import { hash as digest } from "node:crypto";
import { bcryptBytes } from "./eks-blowfish.js";
import { fromBcryptBase64 } from "../bcrypt.js";
import { BOUNDS, derived, fromBase64, outOfBounds, type Parsed } from "./legacy-hash.js";

const BCRYPT_X = /^\$2x\$(0[4-9]|[12]\d|30)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/;
const AUTHGEAR =
  /^\$bcrypt-sha512\$\$2[aby]\$(0[4-9]|[12]\d|30)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/;

/** `$2x$`, which crypt_blowfish before 1.1 made as `$2a$` (CVE-2011-2483), and Authgear's bcrypt of the bytes of a SHA-512. */
export function parseByteBcrypt(text: string): Parsed {
  const faulty = BCRYPT_X.exec(text);
  const [, cost, salt = "", hash = ""] = faulty ?? AUTHGEAR.exec(text) ?? [];
  if (cost === undefined) return null;
  const format = faulty === null ? "authgear_bcrypt_sha512" : "bcrypt_2x";
  if (Number(cost) > BOUNDS.bcryptCost) return outOfBounds(format, "iterations");
  const saltBytes = fromBase64(fromBcryptBase64(salt));
  const expected = fromBase64(fromBcryptBase64(hash));
  if (saltBytes === null || expected === null) return null;
  const setting = { cost: Number(cost), salt: saltBytes, signExtended: faulty !== null };
  return derived(format, {
    expected,
    derive: (password) =>
      bcryptBytes(
        faulty === null ? digest("sha512", password, "buffer") : Buffer.from(password),
        setting,
      ),
  });
}
