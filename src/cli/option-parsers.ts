/** What the values of options mean, read from their text. Each throws commander's `InvalidArgumentError`, which says how to write it. */

import { InvalidArgumentError } from "commander";
import { parseDuration } from "../calls/duration.js";
import type { RejectAllowance } from "../run/reject-allowance.js";
import { MOST_SHARDS } from "../events/shard.js";
import { encodingNamed } from "../source/bytes/encoding.js";

/** Of argon2, in bytes: below it isn't argon2 (RFC 9106), above no hash of it fits into a core. */
const [MIN_OUTPUT, MAX_OUTPUT] = [4, 128];

/** `field=column`, one more of them. */
export function collectMapping(text: string, previous: unknown): string[] {
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1) {
    throw new InvalidArgumentError("Write it as field=column, as in --map email=mail_address.");
  }
  return collect(text, previous);
}

/** An encoding that can be read. */
export function encodingLabel(text: string): string {
  if (encodingNamed(text) !== null) return text;
  throw new InvalidArgumentError("Name one such as windows-1252, utf-16le or shift_jis.");
}

/** One more of an option that may be repeated. */
export function collect(text: string, previous: unknown): string[] {
  return [...(Array.isArray(previous) ? previous : []), text];
}

/** One more length of argon2 outputs, in bytes. */
export function collectBytes(text: string, previous: unknown): number[] {
  const bytes = wholeNumber(text);
  if (bytes < MIN_OUTPUT || bytes > MAX_OUTPUT) {
    throw new InvalidArgumentError(`It must be from ${MIN_OUTPUT} to ${MAX_OUTPUT}.`);
  }
  return [...(Array.isArray(previous) ? previous : []), bytes];
}

/** From 0. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

/** From 1. */
export function positiveNumber(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("It must be at least 1.");
  return value;
}

/** Calls a second, above 0. */
export function callRate(text: string): number {
  const rate = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : 0;
  if (rate === 0) throw new InvalidArgumentError("Write calls a second, as in 200 or 0.5.");
  return rate;
}

/** In milliseconds. */
export function duration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== null && milliseconds > 0) return milliseconds;
  throw new InvalidArgumentError("Write a duration of at most 20 days, as in 30s, 10m or 2h.");
}

/** A number of users, or all of them. */
export function sampleSize(text: string): number | "all" {
  return text === "all" ? text : positiveNumber(text);
}

/** 0 for a free one. */
export function portNumber(text: string): number {
  const value = wholeNumber(text);
  if (value > 65_535) throw new InvalidArgumentError("A port is at most 65535.");
  return value;
}

/** A number, or a share in percent. */
export function rejectAllowance(text: string): RejectAllowance {
  return text.endsWith("%") ? { percent: percentage(text) } : { count: wholeNumber(text) };
}

/** `95%` as 95. */
export function percentage(text: string): number {
  const percent = Number(/^(\d{1,3}(?:\.\d+)?)%$/.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(percent)) throw new InvalidArgumentError("Write a share like 95%.");
  if (percent > 100) throw new InvalidArgumentError("A share is at most 100%.");
  return percent;
}

/** How many shards there are. */
export function shardCount(text: string): number {
  const count = positiveNumber(text);
  if (count <= MOST_SHARDS) return count;
  throw new InvalidArgumentError(`There are at most ${MOST_SHARDS} shards.`);
}
