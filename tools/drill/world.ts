import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPool, type Pool } from '@meridian/db'
import { type Program, runToEnd, startProgram } from '@meridian/process'
import { controlSandbox, openShop, runSettings, settingsIn } from '../faults/open-world.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { config } from './config.ts'
import type { Programs } from './find-programs.ts'
import {
  databaseSettings,
  type Gateways,
  openGateways,
  ownerUrl,
  ports,
  replicaUrl,
  type Topology,
  withoutNamedStatements,
} from './gateways.ts'
import { type LateName, openLateName } from './late-name.ts'
import { bare, type Fleet, openFleet, type Release } from './programs.ts'

export type WorldStart = {
  programs: Programs
  topology: Topology
  /** Values of deploy/patroni/settings.example.env that are otherwise. */
  changes: Readonly<Record<string, string>>
  /** What migrates and runs at the beginning. */
  release: Release
  /** PgBouncer keeps named statements across transactions (1.21 and newer). */
  namedStatements: boolean
  /** The programs find the leader by a name that follows late, rather than by HAProxy. */
  byLateName: boolean
}

export type World = {
  folder: string
  cluster: Cluster
  gateways: Gateways
  fleet: Fleet
  sandboxUrl: string
  lateName: LateName | null
  /** One balancer that repeats at another replica what reached nobody, one that does not. */
  balancers: { retrying: string; plain: string }
  /** For the judgement: the database as its owner. */
  pool: Pool
  migrate: (release: Release) => Promise<void>
  /** The one clock of programs and platform passes so many days, and what is scheduled is done. */
  passDays: (days: number) => Promise<void>
  close: () => Promise<void>
}

/** The platform repeats what was not acknowledged this many times faster than the real one. */
const scheduleSpeed = 10
const wholeWithinMs = 120_000

async function startSandbox(folder: string): Promise<Program> {
  const url = replicaUrl(ports.sandbox)
  const sandbox = await startProgram({
    command: [join(config.checkout, 'tools/sandbox/dist/sandbox.js')],
    cwd: config.checkout,
    env: {
      ...bare,
      SANDBOX_FOLDER: folder,
      DATABASE_URL: ownerUrl,
      API_URL: replicaUrl(ports.plain),
      SANDBOX_PORT: `${ports.sandbox}`,
      NOTIFY_URL: `${replicaUrl(ports.plain)}/api/v1/payment/notify`,
    },
    logFile: join(folder, 'sandbox.log'),
    ready: url,
  })
  await controlSandbox(url, 'keys', { scheduleSpeed })
  return sandbox
}

export async function passDays(days: number): Promise<void> {
  const answer = await fetch(`${replicaUrl(ports.sandbox)}/phone/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ days }),
  })
  if (!answer.ok) throw new Error(`The sandbox does not move its clock: ${await answer.text()}`)
}

async function migrate({ folder }: Release): Promise<void> {
  const { code, stdout, stderr } = await runToEnd({
    command: [join(folder, 'apps/api/dist/commands/migrate.js')],
    cwd: folder,
    env: { ...bare, DATABASE_URL: ownerUrl, DATABASE_DIRECT_URL: ownerUrl },
  })
  if (code !== 0) throw new Error(`db:migrate of ${folder} ended with ${code}:\n${stdout}${stderr}`)
}

/** The whole installation: three database machines, gateways, platform, programs. */
export async function openWorld(start: WorldStart): Promise<World> {
  const { programs, topology, changes, release, namedStatements, byLateName } = start
  const folder = mkdtempSync(join(tmpdir(), 'meridian-drill-'))
  chmodSync(folder, 0o755)
  const cluster = await openCluster({ folder, programs, changes })
  const gateways = openGateways(folder, programs)
  if (!namedStatements) withoutNamedStatements(folder)
  const sandbox = await startSandbox(folder)
  await Promise.all([gateways.redis.start(), gateways.balancer.start(), cluster.untilWhole(wholeWithinMs)])
  await gateways.haproxy.start()
  await gateways.pgbouncer.start()
  await migrate(release)
  await openShop({ databaseUrl: ownerUrl })
  const lateName = byLateName ? openLateName(await cluster.leader()) : null
  const fleet = openFleet(folder, {
    ...runSettings,
    ...settingsIn(join(folder, 'api.env')),
    ...databaseSettings({
      topology,
      primaryPort: byLateName ? ports.lateName : ports.primary,
      namedStatements,
    }),
    REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
    LOG_LEVEL: 'info',
  })
  await Promise.all([...fleet.apis, ...fleet.workers].map((program) => program.restart(release)))
  const pool = openPool(ownerUrl, { applicationName: 'drill', maxConnections: 2 })
  return {
    folder,
    cluster,
    gateways,
    fleet,
    lateName,
    sandboxUrl: replicaUrl(ports.sandbox),
    balancers: { retrying: replicaUrl(ports.retrying), plain: replicaUrl(ports.plain) },
    pool,
    migrate,
    passDays,
    close: async () => {
      await Promise.all([...fleet.apis, ...fleet.workers].map(({ stop }) => stop()))
      await pool.end()
      await sandbox.stop()
      lateName?.close()
      const { haproxy, pgbouncer, redis, balancer } = gateways
      for (const daemon of [balancer, pgbouncer, haproxy, redis]) {
        daemon.thaw()
        await daemon.kill()
      }
      for (const machine of cluster.machines) await machine.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
