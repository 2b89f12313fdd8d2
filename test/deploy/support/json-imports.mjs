/** A hook of Node.js's loader that lets a package import JSON as bundlers have it, without saying so. */

/** @type {import("node:module").LoadHook} */
export const load = (url, context, next) =>
  next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context);
