import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { expect } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { examine, type Options } from '../../src/doctor/examine.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { beat } from '../../src/jobs/keep-workers-alive.ts'
import { paymentEnvironment } from './api-process.ts'
import { startRobot } from './robots.ts'
import { environmentFor, openTestWorld, type TestWorld } from './test-world.ts'

type Environment = Record<string, string>
type TlsKeys = { key: string; cert: string }

const closing = (server: Server) => ({
  async [Symbol.asyncDispose]() {
    server.close()
    if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function')
      server.closeAllConnections()
    await once(server, 'close')
  },
})

/** Something that answers on a port of this machine: with http, or with TLS under these keys. */
export async function startStub(listener: RequestListener, tls?: TlsKeys) {
  const server = tls ? createSecureServer(tls, listener) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, ...closing(server) }
}

const ok: RequestListener = (_, response) => void response.writeHead(200).end()

const plantOwner = (world: TestWorld, email: string) =>
  world.query<{ id: string }>(
    `INSERT INTO operators (id, email, name, role, password_hash, sealed_totp, totp_confirmed_at)
     VALUES ($1, $2, 'Owner', 'owner', '-', '\\x00', business_now()) RETURNING id`,
    [randomUUID(), email],
  )

/** What the checklist wants to find in the database, once. */
async function makeSound(world: TestWorld, environment: Environment): Promise<void> {
  const [owner] = await plantOwner(world, 'first@example.com')
  await plantOwner(world, 'second@example.com')
  await world.services.dataKeys.check()
  await world.query(
    `INSERT INTO backups (finished_at, bytes, verified_at) VALUES (business_now(), 1, business_now())`,
  )
  const { alerts, payments } = readConfig(environment)
  for (const [position, { id, kind, host }] of alerts.channels.entries())
    await world.query(
      `INSERT INTO alert_channels (id, kind, host, position, last_success_at) VALUES ($1, $2, $3, $4, business_now())`,
      [id, kind, host, position],
    )
  await world.query(
    `INSERT INTO merchant_certificates (serial, expires_on, entered_by) VALUES ($1, business_now() + interval '1 year', $2)`,
    [payments?.merchantSerialNo, owner?.id],
  )
}

/** What no finding may repeat: keys, and passwords of addresses. */
const secretNames = [
  ...['JWT_SECRET', 'AUTH_SECRET', 'DATA_KEY', 'WECHAT_APP_SECRET', 'WECHAT_PAY_API_V3_KEY'],
  ...['WECHAT_VIRTUAL_APP_KEY', 'WECHAT_PUSH_TOKEN', 'WECHAT_PUSH_AES_KEY'],
]
const neverShown = (environment: Environment) => [
  ...secretNames.flatMap((name) => environment[name] || []),
  ...Object.values(environment).flatMap((value) => (/:([\w-]{8,})@/.exec(value) ?? []).slice(1)),
  'wecom-key-0123456789',
]

/** A sound installation: everything that the doctor looks at is as it should be, but that it is a sandbox. */
export async function openDoctoredWorld() {
  const world = await openTestWorld()
  const [robot, console] = await Promise.all([startRobot('wecom'), startStub(ok)])
  const payments = await paymentEnvironment(world.platform, `${world.url}/api/v1/payment/notify`)
  const environment = environmentFor(world.databaseUrl, Number(new URL(world.url).port), {
    ...payments.environment,
    NODE_ENV: 'production',
    RATE_LIMITS: '',
    CONSOLE_URL: console.url,
    ALERT_CHANNELS: robot.setting,
    ALERT_ALLOW_PRIVATE: 'true',
    ALERT_HEARTBEAT_URL: robot.url,
  })
  await makeSound(world, environment)
  /** Workers are seen to live: a test takes longer than a minute on a busy machine. */
  const live = () => beat(world.services.database.pool, ['doctored'])
  return {
    world,
    robot,
    environment,
    /** Looks at this installation, or at one whose settings are other in these. */
    examine: async (
      other: Environment = {},
      options: Options & { withoutWorkers?: boolean } = {},
    ): Promise<Finding[]> => {
      if (!options.withoutWorkers) await live()
      const given = { ...environment, ...other }
      const findings = await examine(given, options)
      const text = JSON.stringify(findings)
      expect(neverShown(given).filter((secret) => secret !== 'short' && text.includes(secret))).toEqual([])
      return findings
    },
    async [Symbol.asyncDispose]() {
      await payments.remove()
      await console[Symbol.asyncDispose]()
      await robot[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

export const faultsOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ level }) => level === 'fault')

/** A finding as it is expected: what it is about, what it says, and the line that mends it. */
export type ExpectedFault = { about: string; says: RegExp; mend: RegExp }

/** That these findings hold this fault. */
export function expectFault(findings: readonly Finding[], { about, says, mend }: ExpectedFault): void {
  expect(faultsOf(findings)).toContainEqual({
    about,
    level: 'fault',
    says: expect.stringMatching(says),
    mend: expect.stringMatching(mend),
  })
}
