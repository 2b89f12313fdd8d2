/** Durations as people write them: `30s`, `10m`, `1h30m`. Pure. */

/** The two largest units, rounded up: `1h30m`, `10m`, `45s`, `250ms`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.ceil(milliseconds)}ms`;
  const total = Math.ceil(milliseconds / 1000);
  const parts: [number, string][] = [
    [Math.floor(total / 86_400), "d"],
    [Math.floor(total / 3600) % 24, "h"],
    [Math.floor(total / 60) % 60, "m"],
    [total % 60, "s"],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount}${unit}`)
    .join("");
}
