/** Options of the vendor that the bridge asks for passwords, where it hands out no hash. */

import { z } from "zod";
import type { Upstream } from "../../bridge/upstream/ask.js";
import { isLoopback } from "../../core/http/loopback.js";
import { RunError } from "../../errors/run-error.js";
import { UPSTREAMS } from "../../hash/legacy/kept-password.js";
import { authorityIn, readSmallFile } from "../small-file.js";
import type { OptionSpecs, ValuesOf } from "./option.js";
import type { core } from "./target.js";
import { text } from "./types.js";

export const upstream = {
  upstream: {
    flags: "--upstream <vendor>",
    group: "Which users are taken",
    help: "at their first sign-in, ask this vendor for the passwords of users without a hash",
    docs: "With `--on-unusable-hash bridge` ([bridge.md](bridge.md#vendors-that-hand-out-no-hash))",
    type: z.enum(UPSTREAMS),
  },
} as const satisfies OptionSpecs;

export const upstreamAccount = {
  upstreamUrl: {
    flags: "--upstream-url <url>",
    help: "where that vendor is asked",
    docs: "As in `https://cognito-idp.eu-west-1.amazonaws.com`; Keycloak's with the realm",
    type: text,
    defaultText: "Firebase's own",
  },
  upstreamClient: {
    flags: "--upstream-client <id>",
    help: "the client, or Firebase's web API key, by which it is asked",
    type: text,
  },
  upstreamSecretFile: {
    flags: "--upstream-secret-file <file>",
    help: "file that holds that client's secret",
    type: text,
    defaultText: "a client without one",
  },
} as const satisfies OptionSpecs;

/** What the bridge needs to ask a vendor, whose address, client and secret no option of an import names. */
export function accountWords({ upstream: vendor }: Partial<ValuesOf<typeof upstream>>) {
  if (vendor === undefined) return [];
  const url = ["--upstream-url", "https://YOUR-TENANT"];
  const client = ["--upstream-client", "YOUR-CLIENT"];
  if (vendor === "okta") return url;
  if (vendor === "firebase") return client;
  return [...url, ...client, "--upstream-secret-file", "YOUR-SECRET-FILE"];
}

const FIREBASE = "https://identitytoolkit.googleapis.com";

/** @throws RunError `usage`, `config_invalid` */
export function upstreamOf(
  values: ValuesOf<typeof upstream & typeof upstreamAccount & Pick<typeof core, "caFile">>,
): Upstream | undefined {
  const { upstream: vendor, upstreamClient, upstreamSecretFile: file } = values;
  if (vendor === undefined) {
    if ((values.upstreamUrl ?? upstreamClient ?? file) === undefined) return undefined;
    throw new RunError("usage", "How a vendor is asked is said, and no vendor is named.", {
      hint: "Name it with --upstream VENDOR, or leave --upstream-url, --upstream-client and --upstream-secret-file out.",
    });
  }
  const given = values.upstreamUrl ?? (vendor === "firebase" ? FIREBASE : undefined);
  const isWhole = given !== undefined && (upstreamClient !== undefined || vendor === "okta");
  if (!isWhole) {
    throw new RunError("usage", `How ${vendor} is asked isn't said.`, {
      hint: "Give --upstream-url URL and --upstream-client ID; Okta needs no client, Firebase no URL.",
    });
  }
  if ([given, upstreamClient ?? "", file ?? ""].some((text) => PLACEHOLDER.test(text))) {
    throw new RunError("usage", "The vendor's address, client or secret is a placeholder still.", {
      hint: "Put your own account's into --upstream-url, --upstream-client and --upstream-secret-file; a client may have no secret.",
    });
  }
  const secret = file === undefined ? null : readSmallFile(file, "--upstream-secret-file").trim();
  return {
    vendor,
    url: checkedUrl(given),
    client: upstreamClient ?? "",
    secret,
    env: process.env,
    ca: authorityIn(values.caFile),
  };
}

/** What stands for an account's own in a command that is printed, or in a page. */
const PLACEHOLDER = /[<>]|\bYOUR[-_]/i;

function checkedUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const isHere = url !== null && isLoopback(url.hostname);
  if (url !== null && (url.protocol === "https:" || (url.protocol === "http:" && isHere))) {
    return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  }
  throw new RunError("config_invalid", "--upstream-url isn't an https: URL.", {
    hint: "Passwords go there: give it as https://HOST, without a query. http: is for this machine alone.",
  });
}
