import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { openDatabase } from '@meridian/db'
import { systemRuntime } from '@meridian/payments'
import { type OpenSocket, type Program, startProgram } from '@meridian/process'
import { pino } from 'pino'
import { readConfig } from '../../../apps/api/src/config.ts'
import { closeServices, openServices } from '../../../apps/api/src/services.ts'
import { programFile } from '../../../apps/api/test/world/api-process.ts'
import { type Console, signedInConsole } from '../../../apps/api/test/world/console.ts'
import { environmentFor } from '../../../apps/api/test/world/test-world.ts'

type Start = {
  http: OpenSocket
  databaseUrl: string
  /** What the sandbox wrote for an API that uses it. */
  settingsFile: string
}

/** Starts the API as it ships, with the settings that the sandbox wrote for it; the database is left to who made it. */
export async function startApi({
  http,
  databaseUrl,
  settingsFile,
}: Start): Promise<{ program: Program; owner: Console; close: () => Promise<void> }> {
  const settings = Object.entries(parseEnv(readFileSync(settingsFile, 'utf8')))
  const payments = Object.fromEntries(settings.map(([name, value]) => [name, value ?? '']))
  const environment = environmentFor(databaseUrl, http.port, { LOG_LEVEL: 'warn', ...payments })
  const { url } = http
  const program = await startProgram({
    command: [programFile('main')],
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    sockets: { http },
    ready: `${url}/readyz`,
  })
  const config = readConfig(environment)
  const services = openServices(config, pino({ level: 'silent' }), systemRuntime)
  const database = openDatabase(databaseUrl)
  const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await database.pool.query<Row>(sql, values)).rows
  const world = { url, config, services, query }
  const { console: owner } = await signedInConsole(world, { email: 'owner@example.com' })
  const close = async () => {
    await program.stop()
    await closeServices(services)
    await database.close()
  }
  return { program, owner, close }
}
