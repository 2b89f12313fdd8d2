/** Calls at a served core with canaries in every part of a request, most of them refused. */

import { randomUUID } from "node:crypto";
import { sendBytes, sendRequest } from "../../core/http/send-request.js";
import type { Person } from "./people.js";

const IMPORT = "/recipe/user/passwordhash/import";

/** @returns the answers that are no business outcome, with their headers */
export async function askEverything(
  url: string,
  apiKey: string,
  person: Person,
): Promise<string[]> {
  const { email, phone, bcrypt, argon2, password, name } = person;
  const refusals: string[] = [];
  const headers = { "api-key": apiKey, "user-agent": name, referer: `http://${email}/` };
  const post = async (path: string, body: unknown, more: Record<string, string> = {}) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await sendRequest(url, "POST", path, { ...headers, ...more }, text);
    if (answer.status !== 200) refusals.push(answer.text + JSON.stringify(answer.headers));
    return answer.text;
  };
  const get = async (path: string, more: Record<string, string> = {}): Promise<void> => {
    const answer = await sendRequest(url, "GET", path, { ...headers, ...more });
    if (answer.status !== 200) refusals.push(answer.text + JSON.stringify(answer.headers));
  };
  const query = encodeURIComponent(email);

  await post(IMPORT, { email, passwordHash: bcrypt });
  await post("/recipe/signin", { email, password });
  const code = JSON.parse(await post("/recipe/signinup/code", { phoneNumber: phone }));
  await post("/recipe/signinup/code/consume", code);
  await post(IMPORT, { email: `${email} ${email}`, passwordHash: bcrypt });
  await post(IMPORT, { email, passwordHash: bcrypt.slice(0, 50) });
  await post(IMPORT, { email, passwordHash: argon2, hashingAlgorithm: bcrypt });
  await post(IMPORT, { email, passwordHash: [argon2] });
  await post(IMPORT, `{"email": "${email}", "passwordHash": "${bcrypt}`);
  await post(IMPORT, `${email},${bcrypt}`, { "content-type": name });
  await post("/recipe/signinup/code", { email, phoneNumber: phone });
  await post("/recipe/signinup/code", { phoneNumber: `${phone}${phone}` });
  await post("/recipe/signin", { email, password }, { "api-key": password });
  await post("/recipe/userid/map", { superTokensUserId: randomUUID(), externalUserId: email });
  await get(`/users/by-accountinfo?email=${query}&email=${query}`);
  await get(`/users?limit=${query}&paginationToken=${query}`);
  await get(`/${email}/${encodeURIComponent(bcrypt)}`);
  await get(`/users/by-accountinfo?email=${query}`, { "api-key": bcrypt });
  for (const bytes of [
    `GET /${email} HTTP/9.9\r\n\r\n`,
    `${email} / HTTP/1.1\r\nhost: ${phone}\r\n\r\n`,
    `GET / HTTP/1.1\r\nhost: a\r\n${bcrypt} ${email}\r\n\r\n`,
    `GET /?${"x".repeat(20_000)}${email} HTTP/1.1\r\nhost: a\r\n\r\n`,
  ]) {
    refusals.push(await sendBytes(url, bytes));
  }
  return refusals;
}
