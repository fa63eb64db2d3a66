import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { config } from './config.ts'
import { run } from './daemon.ts'
import type { Programs } from './find-programs.ts'
import { bridge, type Machine } from './machine.ts'

/** One password for all: nobody outside the drill's network can reach its servers. */
export const password = 'drill-password'

const secretFiles = [
  ...['database-owner-password', 'database-app-password', 'pgbouncer-admin-password'],
  ...['postgres-superuser-password', 'postgres-replication-password', 'postgres-rewind-password'],
  'patroni-rest-password',
]

export type Wanted = {
  folder: string
  programs: Programs
  machines: readonly Machine[]
  /** Values of deploy/patroni/settings.example.env that this world has otherwise. */
  changes: Readonly<Record<string, string>>
}

/** Fills `@name@` of one of our own templates. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(import.meta.dirname, 'templates', template), 'utf8')
  return text.replaceAll(/@(\w+)@/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${template}: nobody says what @${name}@ is`)
    return value
  })
}

/** Where drill and documented installation differ: no TLS inside one machine, no archive, no watchdog device. */
const drillSettings = {
  PRIVATE_NETWORK: bridge.network,
  SHARED_BUFFERS: '64MB',
  EFFECTIVE_CACHE_SIZE: '256MB',
  ARCHIVE_COMMAND: '/bin/true',
  WATCHDOG_MODE: 'off',
  HBA_TYPE: 'host',
  POSTGRES_SSL: 'off',
  REPLICATION_SSLMODE: 'disable',
  ETCD_SCHEME: 'http',
  ETCD_CLIENT_AUTH: 'false',
  ETCD_CERTIFICATE: '',
  ETCD_KEY: '',
  ETCD_CA: '',
  PGBOUNCER_SERVER_TLS: 'disable',
}

function writeSecrets(folder: string): string {
  const secrets = join(folder, 'secrets')
  mkdirSync(secrets)
  for (const name of secretFiles) writeFileSync(join(secrets, name), `${password}\n`)
  run('chown', '-R', 'postgres:postgres', secrets)
  return secrets
}

/** The checkout may lie where the user of the database cannot read. */
function copyGuard(folder: string): string {
  const guard = join(folder, 'guard-disk.sh')
  copyFileSync(join(config.checkout, 'deploy/patroni/guard-disk.sh'), guard)
  chmodSync(guard, 0o755)
  return guard
}

/** Renders deploy/patroni for every machine and for the balancer, exactly as an operator does. */
export function renderCluster({ folder, programs, machines, changes }: Wanted): void {
  const secrets = writeSecrets(folder)
  const nodes = machines.flatMap(({ name, address }, index) => [
    [`NODE_${index + 1}_NAME`, name],
    [`NODE_${index + 1}_ADDRESS`, address],
  ])
  const render = (machine: string, target: string, places: Readonly<Record<string, string>>) => {
    const settings = { ...drillSettings, ...Object.fromEntries(nodes), ...places, ...changes }
    const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`)
    const file = join(folder, `settings-${machine}.env`)
    writeFileSync(file, lines.join(''))
    mkdirSync(target, { recursive: true })
    run('sh', join(config.checkout, 'deploy/patroni/render.sh'), file, machine, target)
    run('chown', '-R', 'postgres:postgres', target)
    chmodSync(target, 0o755)
  }
  const guard = copyGuard(folder)
  for (const [index, { disk }] of machines.entries()) {
    render(`${index + 1}`, disk, {
      CONFIG_FOLDER: disk,
      SECRETS_FOLDER: secrets,
      POSTGRES_BIN: programs.postgresFolder,
      POSTGRES_DATA: join(disk, 'data'),
      POSTGRES_SOCKETS: disk,
      ETCD_DATA: join(disk, 'etcd'),
    })
    const environment = Object.entries(programs.patroniEnv).map(([name, value]) => `${name}=${value}`)
    const patroni = ['env', ...environment, ...programs.patroni].join(' ')
    writeFileSync(join(disk, 'start.sh'), fill('start.sh', { disk, patroni, etcd: programs.etcd, guard }))
  }
  const balancer = join(folder, 'balancer')
  render('balancer', balancer, {
    CONFIG_FOLDER: balancer,
    SECRETS_FOLDER: secrets,
    PGBOUNCER_RUN: balancer,
    PGBOUNCER_USERS: join(balancer, 'userlist.txt'),
  })
}
