/** What the endpoints of the SuperTokens stub read of a request, and how they answer. */

export interface SuperTokensReply {
  readonly status: number;
  /** A text gets a newline at its end. */
  readonly body: string | Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SuperTokensRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: URLSearchParams;
  readonly rid: string | undefined;
}

export type Endpoint = (
  request: SuperTokensRequest,
) => SuperTokensReply | Promise<SuperTokensReply>;

/** By their paths and methods. */
export type Endpoints = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;

/** A 400 that is thrown where it is noticed. */
export class BadRequest extends Error {}

export function required(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  if (typeof value === "string") return value;
  throw new BadRequest(`the field '${name}' has to be there as a text`);
}

export function optional(
  body: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  return body[name] === undefined ? undefined : required(body, name);
}

export function parameter(query: URLSearchParams, name: string): string {
  return required(Object.fromEntries(query), name);
}

export function ok(fields: Readonly<Record<string, unknown>>): SuperTokensReply {
  return json({ status: "OK", ...fields });
}

export function json(body: Readonly<Record<string, unknown>>): SuperTokensReply {
  return { status: 200, body };
}
