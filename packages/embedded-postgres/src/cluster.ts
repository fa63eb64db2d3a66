import type { Account } from './find-account.ts'

/** Everything it takes to make, start and reach one PostgreSQL server of ours. */
export type Cluster = {
  /** The folder with `bin`, `lib` and `share`. */
  binaries: string
  /** PostgreSQL's data directory. */
  folder: string
  /** Holds the password of the only user; owned by the account, mode 0600. */
  passwordFile: string
  log: string
  account: Account
  /** Lines for PostgreSQL's configuration beyond ours. */
  settings: Readonly<Record<string, string>>
  /** How long the server may take until it is ready; a minute when absent. */
  startTimeoutMs?: number
}

/** The server's only user, its superuser. */
export const clusterUser = 'meridian'
