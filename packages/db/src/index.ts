export type { Pool, PoolClient } from 'pg'
export { type Database, type DatabaseOptions, type Db, type OpenDatabase, openDatabase } from './client.ts'
export {
  type Column,
  type Columns,
  column,
  compareColumns,
  json,
  nullable,
  oneOf,
  type RowOf,
} from './columns.ts'
export { databaseAddress, tlsModeOf, tlsModes } from './database-address.ts'
export {
  checkViolation,
  isConflict,
  isConnectionLost,
  isRefusedContent,
  isStatementTimeout,
  retryOnConflict,
  uniqueViolation,
} from './database-errors.ts'
export { findKept, type Kept } from './find-kept.ts'
export * from './generated/prisma/client.ts'
export { type MigrateOptions, migrate, migrations } from './migrate.ts'
export { type Migration, pendingMigrations } from './migration-record.ts'
export { openPool, type PoolOptions, type ServerTimeouts } from './open-pool.ts'
export { grantReportingRights, reportingRole } from './reporting-role.ts'
export {
  appendOnlyTables,
  decidedTables,
  grantRuntimeRights,
  mayRewriteLedger,
  runtimeRole,
} from './runtime-role.ts'
export { sampleDiagnosis, sampleTemplates, seedDefaults } from './seed-defaults.ts'
export {
  type Answered,
  answers,
  type Connection,
  effect,
  execute,
  type Part,
  part,
  type Query,
  query,
  type Reading,
  reading,
  rowsOf,
  statement,
} from './statement.ts'
export type { SentStatement } from './trace-statements.ts'
