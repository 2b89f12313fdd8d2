export interface Cluster {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Of its data. */
  readonly folder: string;
  /** Of its Unix socket and its log. */
  readonly home: string;
  start(): Promise<void>;
  stop(mode?: "smart" | "fast" | "immediate"): Promise<void>;
  restart(mode?: "fast" | "immediate"): Promise<void>;
  configure(settings: Readonly<Record<string, string | number>>): void;
  remove(): Promise<void>;
}
export function postgresPrograms(): string | null;
export function startCluster(
  settings?: Readonly<Record<string, string | number>>,
): Promise<Cluster>;
