/** Sends a remote core the calls on an account's parts. Every dialect uses the public counterpart's names. */

import type { PartName, PartOutcome, PartRequest } from "../account-parts.js";
import type { Core } from "../core.js";
import { expectAnswer, statusOf, unknownStatus } from "./answers.js";
import { PART_ENDPOINTS, type PartEndpoint } from "./part-endpoints.js";
import type { Transport } from "./transport.js";

export function partRequests(call: Transport["call"]): Pick<Core, "part"> {
  return {
    async part<Name extends PartName>(
      name: Name,
      request: PartRequest<Name>,
    ): Promise<PartOutcome<Name>> {
      const endpoint: PartEndpoint = PART_ENDPOINTS[name];
      const { method, path, outcome } = endpoint;
      const fields = { ...request } as Readonly<Record<string, string>>;
      const answer = await call(
        method === "GET" ? { method, path, query: fields } : { method, path, body: fields },
      );
      const parsed = outcome.safeParse(answer.body);
      if (parsed.success) return parsed.data as PartOutcome<Name>;
      const status = statusOf(answer);
      throw status === "OK" ? expectAnswer(answer, outcome) : unknownStatus(status);
    },
  };
}
