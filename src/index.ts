/** The public library: everything the command line does, as functions that take values, report through callbacks and never print. */
/// <reference types="node" preserve="true" />

export { CoreFailure, type CoreFailureKind, type Reached } from "./core/core-failure.js";
export type {
  Code,
  CodeRequest,
  ConsumedDevice,
  ConsumeOutcome,
  ConsumeRequest,
  Core,
  CoreTarget,
  ImportOutcome,
  ImportRequest,
  MapOutcome,
  MapRequest,
  NewCodeRequest,
  SignInOutcome,
  UpdateOutcome,
  UpdateRequest,
  UserIdMapping,
} from "./core/core.js";
export type { CoreUser, PageRequest, Recipe, UserFilter, UserPage } from "./core/user.js";
export type { Dialect, DialectName } from "./core/dialect.js";
export type { CoreSettings, EmbeddedCore } from "./core/embedded/assemble-core.js";
export {
  type EmbeddedCoreOptions,
  openEmbeddedCore,
} from "./core/embedded/embedded-core.js";
export {
  openPostgresCore,
  type PostgresCoreOptions,
} from "./core/embedded/postgres/postgres-core.js";
export type { DatabaseSettings, DatabaseTls } from "./core/embedded/postgres/settings.js";
export { connectCore, type ConnectOptions, type RemoteCore } from "./core/http/client.js";
export {
  type ClientLimits,
  type CoreServer,
  type CoreServerOptions,
  type QueueOptions,
  startCoreServer,
} from "./core/http/server.js";
export { RunError, type RunErrorCode } from "./errors/run-error.js";
export { checkHash, type HashCheck } from "./hash/grammar.js";
export type {
  AllowedHash,
  HashAlgorithm,
  HashConfig,
  HashVerdict,
  NormalizeOptions,
  RawHash,
} from "./hash/hash.js";
export { parseHashConfig } from "./hash/hash-config.js";
export type { LegacyContext } from "./hash/legacy/changed-password.js";
export { verifyLegacyPassword } from "./hash/legacy/find-legacy-hash.js";
export { normalizeHash } from "./hash/legacy/kept-hash.js";
export { type ScryptPasswordEncoding, type VerifyOptions, verifyPassword } from "./hash/verify.js";
export type { Inspection } from "./stage/inspection.js";
export { type CoreBinding, readBinding } from "./checkpoint/checkpoint.js";
export { type Purge, purgeCheckpoint } from "./checkpoint/purge.js";
export type { StateCounts } from "./checkpoint/state-counts.js";
export type { RunProgress } from "./checkpoint/run-progress.js";
export {
  type CheckpointStatus,
  readStatus,
  readStatuses,
  type Statuses,
} from "./checkpoint/status.js";
export { type Cutover, recordCutover } from "./run/cutover.js";
export {
  type GivenUndo,
  type Undone,
  type UndoEvent,
  undoUsers,
} from "./undo/undo-users.js";
export {
  bindingOf,
  type GivenImport,
  type GivenReading,
  type KnownCore,
  type Optional,
} from "./run/defaults.js";
export type {
  CallName,
  Finding,
  FindingEvent,
  MigrationEvent,
  Outcome,
  PauseEvent,
  ProgressEvent,
  QueueEvent,
  RowEvent,
  RowRef,
} from "./events/events.js";
export type { Counts, ImportSummary, PasswordCoverage, ValidateSummary } from "./events/summary.js";
export { importUsers } from "./run/import-users.js";
export {
  defineSource,
  type OwnRefusal,
  type OwnSource,
  type OwnUser,
} from "./source/own-source.js";
export type { FieldTable, ReadFor, SocialList } from "./source/fields/field-table.js";
export {
  closeInputs,
  type Input,
  type InputOptions,
  openInputs,
  type ReadRun,
} from "./source/inputs.js";
export type { DatabaseInput } from "./source/database/database.js";
export type { UsersInput } from "./source/input-bytes.js";
export { type CoreNames, readCoreNames } from "./source/mapping/read-mapping.js";
export type {
  BeforeBulk,
  Ending,
  FittedHash,
  ImportOptions,
  ProofResult,
  ReadingOptions,
  SignInContext,
  SignIns,
  SignInVerdict,
} from "./run/options.js";
export type { RejectAllowance } from "./run/reject-allowance.js";
export {
  type LoadOptions,
  loadPasswordExport,
  type PasswordExport,
} from "./password-export/load-export.js";
export { type Plan, planUser } from "./plan/plan.js";
export { DEFAULT_POLICY, type Policy } from "./plan/policy.js";
export type { ProofOptions } from "./prove/explain.js";
export {
  type FindOptions,
  type FoundUser,
  findUsers,
  UserSearch,
} from "./prove/find-users.js";
export {
  allProved,
  type HashKinds,
  type Proof,
  type ProofCode,
  type Proved,
  provedAlgorithms,
  type Unproved,
} from "./prove/proof.js";
export {
  type CoreProof,
  proveAtCore,
  type ProvedUser,
  type SignInJudge,
  signInsOf,
} from "./prove/sign-ins.js";
export {
  type GivenProof,
  type LocalProof,
  proveFound,
  proveTestUsers,
  type WholeProof,
} from "./prove/prove-test-users.js";
export { proveUsers, type Subject } from "./prove/prove-users.js";
export type { MigratedUser } from "./checkpoint/finished-users.js";
export type { RefusedRow } from "./checkpoint/refused-rows.js";
export type { Scope } from "./checkpoint/numbered.js";
export { openReport, type ReportSource } from "./checkpoint/report-source.js";
export type {
  KeptRun,
  PauseCount,
  RunEnding,
  RunFinding,
  RunRecord,
  RunSample,
  RunSums,
} from "./events/run-record.js";
export type { Timing } from "./events/timing.js";
export type {
  Comparison,
  DifferenceEvent,
  ReconcileEvent,
} from "./reconcile/compare-all.js";
export type { DifferenceCode } from "./reconcile/compare-user.js";
export {
  type GivenReconcile,
  type RecipeCount,
  reconcileEvents,
  type ReconcileOptions,
  reconcileUsers,
  type Reconciliation,
} from "./reconcile/reconcile-users.js";
export type { RowCounts, SampleSize } from "./reconcile/subjects.js";
export { importEvents, type SummaryEvent, validateEvents } from "./run/event-stream.js";
export type { ShardFlaw, ShardFlawCode, ShardsProof } from "./checkpoint/prove-shards.js";
export {
  type Manifest,
  type ManifestPart,
  type Part,
  type PartFile,
  partOf,
  type Shard,
  type ShardSummary,
} from "./events/shard.js";
export { type SplitOptions, splitUsers } from "./shards/split-users.js";
export { validateUsers } from "./run/validate-users.js";
export {
  idMapCsv,
  idMapNdjson,
  reportCsv,
} from "./report/lists.js";
export type { ExampleRow, RefusalGroup } from "./report/refusal-groups.js";
export {
  makeReport,
  type Report,
  type ReportEvent,
  type ReportGroup,
  reportJson,
  type ReportOptions,
} from "./report/report.js";
export { reportHtml } from "./report/report-html.js";
export { reportJunit } from "./report/report-junit.js";
export { reportMarkdown } from "./report/report-markdown.js";
export { reportMetrics } from "./report/report-metrics.js";
export { reportText } from "./report/report-text.js";
export type { BridgeAnswer, Credentials } from "./bridge/bridge.js";
export { type OpenBridge, openBridge, type OpenBridgeOptions } from "./bridge/open-bridge.js";
export type { Upstream } from "./bridge/upstream/ask.js";
export { answerHashLines, type HashAnswer } from "./source/hash-lines.js";
export type { Contact, Exclusion, UserRecord } from "./account/user-record.js";
export { readPasswordsFile, type TestUser } from "./source/passwords-file.js";
