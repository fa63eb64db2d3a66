import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { config } from './config.ts'

/** What a drill runs; a command is the program with its first arguments. */
export type Programs = {
  /** Folder of `postgres`, `initdb`, `pg_rewind`. */
  postgresFolder: string
  patroni: readonly string[]
  patroniEnv: Readonly<Record<string, string>>
  pgbouncer: readonly string[]
  etcd: string
  haproxy: string
  redis: string
}

export type Found = { programs: Programs } | { missing: string[] }

/** Not in everybody's PATH: Debian keeps what root runs in the second. */
const folders = [...config.searchPath.split(':'), '/usr/sbin', '/sbin']

const find = (name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find((file) => existsSync(file))

const postgresRoot = '/usr/lib/postgresql'

/** The newest server that Debian's packages have installed. */
function findPostgres(): string | undefined {
  const versions = existsSync(postgresRoot) ? readdirSync(postgresRoot).map(Number) : []
  const newestFirst = versions.filter(Number.isInteger).sort((one, other) => other - one)
  return newestFirst
    .map((version) => join(postgresRoot, `${version}`, 'bin'))
    .find((folder) => existsSync(join(folder, 'postgres')))
}

/** Debian's package behind each program. */
const packages: Readonly<Record<string, string>> = {
  patroni: 'patroni python3-etcd python3-psycopg2',
  pgbouncer: 'pgbouncer',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  'redis-server': 'redis-server',
  envsubst: 'gettext-base',
  ip: 'iproute2',
  unshare: 'util-linux',
  setpriv: 'util-linux',
}

/** Whether somebody has filled this folder by `fetchNewer`. */
export const hasNewer = (folder: string): boolean => existsSync(join(folder, 'usr/sbin/pgbouncer'))

const libraries = 'usr/lib/x86_64-linux-gnu'

/** Patroni is Python and needs nothing else; PgBouncer runs by the loader and with the libraries beside it. */
function newerPrograms(folder: string): Pick<Programs, 'patroni' | 'patroniEnv' | 'pgbouncer'> {
  const from = (path: string) => join(folder, path)
  return {
    patroni: ['/usr/bin/python3', '-m', 'patroni'],
    patroniEnv: { PYTHONPATH: from('usr/lib/python3/dist-packages') },
    pgbouncer: [
      from(`${libraries}/ld-linux-x86-64.so.2`),
      '--library-path',
      from(libraries),
      from('usr/sbin/pgbouncer'),
    ],
  }
}

/**
 * Every program the drills need, or the Debian packages that are missing.
 * @param newerFolder unpacked Debian packages whose patroni and pgbouncer are used instead of the installed ones
 */
export function findPrograms(newerFolder?: string): Found {
  const paths = new Map(Object.keys(packages).map((name) => [name, find(name)]))
  const postgresFolder = findPostgres()
  const missing = [
    ...Object.entries(packages).flatMap(([name, source]) => (paths.get(name) ? [] : [source])),
    ...(postgresFolder ? [] : ['postgresql']),
  ]
  if (missing.length > 0) return { missing: [...new Set(missing)] }
  const path = (name: string) => paths.get(name) ?? name
  return {
    programs: {
      postgresFolder: postgresFolder ?? '',
      patroni: [path('patroni')],
      patroniEnv: {},
      pgbouncer: [path('pgbouncer')],
      etcd: path('etcd'),
      haproxy: path('haproxy'),
      redis: path('redis-server'),
      ...(newerFolder && newerPrograms(newerFolder)),
    },
  }
}
