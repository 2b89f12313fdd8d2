/** Certificates for a server's own TLS. */

import { execFile } from "node:child_process";
import { chmodSync, chownSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** A certificate and its key beside it, in the folder of who owns that. */
export async function selfSigned(folder: string): Promise<string> {
  const [certificate, key] = [join(folder, "server.crt"), join(folder, "server.key")];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=db"];
  const names = ["-addext", "subjectAltName=IP:127.0.0.1"];
  await promisify(execFile)("openssl", [...made, ...names, "-keyout", key, "-out", certificate]);
  const { uid, gid } = statSync(folder);
  chownSync(key, uid, gid);
  chmodSync(key, 0o600);
  return certificate;
}
