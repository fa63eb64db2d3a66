import { parseArgs } from 'node:util'
import type { Topology } from './gateways.ts'

export type Arguments = {
  only: string[]
  list: boolean
  topology: Topology
  /** Commit, tag or branch of the release before this one. */
  previous?: string
  /** Folder with unpacked Debian packages of a newer patroni and pgbouncer. */
  newer?: string
  /** Download these packages into this folder, and do nothing else. */
  fetch?: string
  /** Where the outcomes are written as JSON. */
  json?: string
  /** Folder that gets every log. */
  logs?: string
}

export const usage = `npm run drill -- [--only NAME,…] [--list] [--topology haproxy|pgbouncer] [--previous COMMIT]
  [--newer FOLDER] [--fetch FOLDER] [--json FILE] [--logs FOLDER]`

/** @throws Error with the usage when an argument is not known */
export function readArguments(args: string[]): Arguments {
  const text = { type: 'string' } as const
  const options = {
    only: text,
    list: { type: 'boolean', default: false },
    topology: { type: 'string', default: 'haproxy' },
    previous: text,
    newer: text,
    fetch: text,
    json: text,
    logs: text,
  } as const
  const { values } = parseArgs({ args, options })
  const { only = '', topology, list, ...rest } = values
  if (topology !== 'haproxy' && topology !== 'pgbouncer') throw new Error(usage)
  return { ...rest, list, topology, only: only.split(',').filter(Boolean) }
}
