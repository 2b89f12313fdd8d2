/** How often what is costly is done: a few times in `npm test`, in full in `npm run test:system`, and as often as a variable says in both. */

/** Set by vitest.full.config.ts. */
export const IN_FULL = "AUTH_MIGRATE_IN_FULL";

export interface Counts {
  /** The variable that raises or lowers it. */
  readonly variable: string;
  readonly few: number;
  readonly full: number;
}

export function repeated({ variable, few, full }: Counts): number {
  return Number(process.env[variable] ?? (process.env[IN_FULL] === undefined ? few : full));
}
