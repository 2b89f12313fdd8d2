/** A SuperTokens core with an app and a tenant beside the public ones: it takes what is an app's for the app alone, and refuses names that it doesn't have. */

import { onTestFinished } from "vitest";
import { handOn, startHttp } from "./canned-server.js";
import { type SuperTokensStub, startSuperTokensStub } from "./supertokens-stub.js";

/** What SuperTokens answers for an app alone. */
const APP_CALLS =
  /^(?:\S+ (?:\/apiversion|\/user\/(?:id|remove)|\/bulk-import\/.+|\/recipe\/(?:userid\/map|user\/metadata.*|roles?|totp\/.+|accountlinking\/.+|user\/email\/verify\/remove))|PUT \/recipe\/user|GET \/recipe\/user\/email\/verify)$/;
/** A call under an app's prefix, a tenant's, both or none. */
const SCOPED =
  /^(?:\/appid-([a-z0-9-]+))?(?:\/(?!recipe\/|users?\/|bulk-import\/)([a-z0-9-]+))?(\/(?:recipe\/.+|bulk-import\/.+|users?(?:\/.+)?|apiversion))$/;

export interface TenantCore {
  readonly url: string;
  /** As in `shop/t1 POST /recipe/signinup/code`, in order. */
  readonly asked: readonly string[];
  readonly users: SuperTokensStub["users"];
}

/** Ends with the test. It has the app `shop` and in either app the tenant `t1`. */
export async function startTenantCore(apiKey: string): Promise<TenantCore> {
  const stub = await startSuperTokensStub({ apiKey, signerKey: null });
  onTestFinished(() => stub.close());
  const asked: string[] = [];
  const server = await startHttp((request, response, body) => {
    const { url = "", method = "" } = request;
    const [path = "", query = ""] = url.split("?");
    const [, app = "public", tenant = "public", call = ""] = SCOPED.exec(path) ?? [];
    const line = `${method} ${call}`;
    asked.push(`${app}/${tenant} ${line}`);
    const refuse = (status: number, text: string): void => {
      response.writeHead(status, { "content-type": "text/html;charset=UTF-8" }).end(`${text}\n`);
    };
    if (call === "") return refuse(404, "Not found");
    if (APP_CALLS.test(line) && tenant !== "public") {
      return refuse(403, "Only public tenantId can call this app specific API");
    }
    if (!["public", "shop"].includes(app) || !["public", "t1"].includes(tenant)) {
      return refuse(400, `AppId or tenantId not found => (, ${app}, ${tenant})`);
    }
    handOn(`${stub.url}${call}${query === "" ? "" : `?${query}`}`, request, body, response);
  });
  onTestFinished(() => server.close());
  return { url: server.url, asked, users: stub.users };
}
