import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asPostgres, type Daemon, openDaemon } from './daemon.ts'
import type { Programs } from './find-programs.ts'
import { fill, password } from './render.ts'

/** Ports of the drill's own network namespace; of deploy/patroni the second to the fourth. */
export const ports = {
  sandbox: 4100,
  primary: 5000,
  standbys: 5001,
  pgbouncer: 6432,
  redis: 6379,
  retrying: 4010,
  plain: 4020,
  lateName: 5099,
  apis: [4001, 4002, 4003],
  workers: [4051, 4052],
} as const

/** How the programs reach the database: straight by HAProxy, or by PgBouncer in transaction mode in front of it. */
export type Topology = 'haproxy' | 'pgbouncer'

export type Gateways = { haproxy: Daemon; pgbouncer: Daemon; redis: Daemon; balancer: Daemon }

export const replicaUrl = (port: number): string => `http://127.0.0.1:${port}`

/** Everything between customers, programs and database, as deploy/patroni configures it; none of it runs yet. */
export function openGateways(folder: string, programs: Programs): Gateways {
  const inBalancer = (name: string) => join(folder, 'balancer', name)
  const http = join(folder, 'http.cfg')
  const replicas = ports.apis
    .map((port, index) => `  server api${index + 1} 127.0.0.1:${port} check`)
    .join('\n')
  writeFileSync(http, fill('balancer.cfg', { replicas }))
  const logFile = (name: string) => join(folder, `${name}.log`)
  return {
    haproxy: openDaemon({
      name: 'haproxy',
      command: [programs.haproxy, '-f', inBalancer('haproxy.cfg')],
      logFile: logFile('haproxy'),
      port: ports.primary,
    }),
    pgbouncer: openDaemon({
      name: 'pgbouncer',
      command: asPostgres([...programs.pgbouncer, inBalancer('pgbouncer.ini')]),
      logFile: logFile('pgbouncer'),
      port: ports.pgbouncer,
    }),
    redis: openDaemon({
      name: 'redis',
      command: [programs.redis, '--port', `${ports.redis}`, '--save', '', '--dir', folder],
      logFile: logFile('redis'),
      port: ports.redis,
    }),
    balancer: openDaemon({
      name: 'balancer',
      command: [programs.haproxy, '-f', http],
      logFile: logFile('balancer'),
      port: ports.plain,
    }),
  }
}

/** PgBouncer before 1.21 knows no named statement across transactions, and the setting neither. */
export function withoutNamedStatements(folder: string): void {
  const file = join(folder, 'balancer', 'pgbouncer.ini')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^max_prepared_statements.*$/m, ''))
}

const address = (user: string, port: number, name = 'meridian') =>
  `postgresql://${user}:${password}@127.0.0.1:${port}/${name}`

/** The owner of the tables, past PgBouncer: for migrations and for whoever judges. */
export const ownerUrl = address('meridian', ports.primary)

type Way = { topology: Topology; primaryPort: number; namedStatements: boolean }

/** Where the programs find their database. A PgBouncer that keeps named statements is like a session to them. */
export const databaseSettings = ({ topology, primaryPort, namedStatements }: Way) =>
  topology === 'haproxy'
    ? {
        DATABASE_URL: address('meridian_app', primaryPort),
        DATABASE_READ_URL: address('meridian_app', ports.standbys),
      }
    : {
        DATABASE_URL: address('meridian_app', ports.pgbouncer),
        DATABASE_DIRECT_URL: address('meridian_app', primaryPort),
        DATABASE_READ_URL: address('meridian_app', ports.pgbouncer, 'meridian_read'),
        DATABASE_POOLING: namedStatements ? 'session' : 'transaction',
      }
