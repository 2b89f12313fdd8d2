/** The recorded requests to SuperTokens with what it answered, and their replay against another server. */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { sendRequest } from "./send-request.js";

const PATH = new URL("./fixtures/transcript.jsonl", import.meta.url);

/** A recorded request; of its answer the HTTP status, and what later requests build on. */
const recorded = z.strictObject({
  name: z.string(),
  method: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
  answered: z.number(),
  answer: z
    .strictObject({
      status: z.string().optional(),
      preAuthSessionId: z.string().optional(),
      linkCode: z.string().optional(),
      deviceId: z.string().optional(),
      userId: z.string().optional(),
    })
    .optional(),
});

/** A code or a user that a later request needs and that no recorded request made. */
const unrecorded = z.strictObject({
  unrecorded: z.enum(["code", "user"]),
  email: z.string().optional(),
  phoneNumber: z.string().optional(),
  preAuthSessionId: z.string().optional(),
  linkCode: z.string().optional(),
  deviceId: z.string().optional(),
  userInputCode: z.string().optional(),
  id: z.string().optional(),
});

const answered = z.object({
  status: z.string().optional(),
  preAuthSessionId: z.string().optional(),
  linkCode: z.string().optional(),
  deviceId: z.string().optional(),
  userInputCode: z.string().optional(),
  user: z.object({ id: z.string() }).optional(),
});
type Answered = z.infer<typeof answered>;

/** What both answered to one request: the HTTP status, and the JSON status behind it where there is one. */
export interface Replayed {
  readonly name: string;
  readonly superTokens: string;
  readonly ours: string;
}

const steps = readFileSync(PATH, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => z.union([recorded, unrecorded]).parse(JSON.parse(line)));

/** Sends every recorded request, in their order, with the values of this server's own answers in place of the recorded ones. */
export async function replayTranscript(url: string, apiKey: string): Promise<Replayed[]> {
  const ownValues = new Map<string, string>();
  const learn = (theirs: string | undefined, own: string | undefined) => {
    if (theirs !== undefined && own !== undefined) ownValues.set(theirs, own);
  };
  const own = (text: string) =>
    [...ownValues].reduce((done, [theirs, value]) => done.replaceAll(theirs, value), text);
  const post = async (path: string, body: object): Promise<Answered> => {
    const headers = { "api-key": apiKey };
    const { text } = await sendRequest(url, "POST", path, headers, JSON.stringify(body));
    return answered.parse(JSON.parse(text));
  };

  const replayed: Replayed[] = [];
  for (const step of steps) {
    if ("unrecorded" in step) {
      const { email, phoneNumber } = step;
      const code = await post("/recipe/signinup/code", { email, phoneNumber });
      learn(step.preAuthSessionId, code.preAuthSessionId);
      learn(step.linkCode, code.linkCode);
      learn(step.deviceId, code.deviceId);
      learn(step.userInputCode, code.userInputCode);
      if (step.unrecorded === "user") {
        const { preAuthSessionId, linkCode } = code;
        const { user } = await post("/recipe/signinup/code/consume", {
          preAuthSessionId,
          linkCode,
        });
        learn(step.id, user?.id);
      }
      continue;
    }
    const { name, method, path, headers, body, answer } = step;
    const sent = body === undefined ? undefined : own(body);
    const { status, text } = await sendRequest(url, method, own(path), headers, sent);
    const json = text.startsWith("{") ? answered.parse(JSON.parse(text)) : {};
    learn(answer?.preAuthSessionId, json.preAuthSessionId);
    learn(answer?.linkCode, json.linkCode);
    learn(answer?.deviceId, json.deviceId);
    learn(answer?.userId, json.user?.id);
    replayed.push({
      name,
      superTokens: shown(step.answered, answer?.status),
      ours: shown(status, json.status),
    });
  }
  return replayed;
}

function shown(httpStatus: number, status: string | undefined): string {
  return status === undefined ? String(httpStatus) : `${httpStatus} ${status}`;
}
