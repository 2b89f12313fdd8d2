import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { type CoreServer, startCoreServer } from "../../../src/core/http/server.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { sendRequest } from "./send-request.js";
import { type Replayed, replayTranscript } from "./transcript.js";
import { TRANSCRIPT_DIFFERENCES, UNRECORDED_DIFFERENCES } from "./transcript-differences.js";

const path = temporaryPaths();
/** The one that the recorded requests carry. */
const KEY = "abcdefghijklmnopqrstuvwxyz";

describe("requests recorded at SuperTokens", () => {
  let replayed: Replayed[];
  beforeAll(async () => {
    const core = openEmbeddedCore({ file: path("core.db") });
    const server = await startCoreServer(core, { host: "127.0.0.1", port: 0, apiKeys: [KEY] });
    replayed = await replayTranscript(server.url, KEY);
    await server.close();
    await core.close();
  });

  it("are all replayed, each under a name of its own", () => {
    expect(replayed).toHaveLength(128);
    expect(new Set(replayed.map(({ name }) => name)).size).toBe(128);
  });

  it("are answered with the same HTTP status and status, but for the listed differences", () => {
    const found = replayed.filter(({ superTokens, ours }) => superTokens !== ours);
    const listed = Object.entries(TRANSCRIPT_DIFFERENCES).map(([name, { superTokens, ours }]) => ({
      name,
      superTokens,
      ours,
    }));
    expect(found).toEqual(listed);
  });
});

describe("a request that wasn't recorded", () => {
  const core = openEmbeddedCore({ file: path("without-key.db") });
  const keyed = openEmbeddedCore({ file: path("with-key.db"), signerKey: SIGNER_KEY });
  const urls = { without: "", with: "" };
  const servers: CoreServer[] = [];
  beforeAll(async () => {
    const options = { host: "127.0.0.1", port: 0, apiKeys: [KEY] };
    servers.push(await startCoreServer(core, options), await startCoreServer(keyed, options));
    [urls.without, urls.with] = [servers[0]?.url ?? "", servers[1]?.url ?? ""];
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await core.close();
    await keyed.close();
  });

  it.each(Object.entries(UNRECORDED_DIFFERENCES))(
    "is answered otherwise than by SuperTokens, as listed: %s",
    async (_name, { path: target, body, hasKey = false, ours }) => {
      const url = hasKey ? urls.with : urls.without;
      const headers = { "api-key": KEY };
      const sent = JSON.stringify(body);
      expect(String((await sendRequest(url, "POST", target, headers, sent)).status)).toBe(ours);
    },
  );

  it("is taken as SuperTokens takes it where blanks stand around hash and algorithm", async () => {
    const { passwordHash } = KNOWN_HASHES.bcrypt;
    for (const [index, around] of ["  ", "\t", "\n", "\r\n"].entries()) {
      const body = {
        email: `blanks.${index}@example.com`,
        passwordHash: around + passwordHash + around,
        hashingAlgorithm: `${around}BcRypt${around}`,
      };
      const target = "/recipe/user/passwordhash/import";
      const answer = await sendRequest(
        ...([urls.without, "POST", target, { "api-key": KEY }, JSON.stringify(body)] as const),
      );
      expect(JSON.parse(answer.text)).toMatchObject({ status: "OK", didUserAlreadyExist: false });
    }
  });
});
