import { consoleToken, signedInConsole } from '../apps/api/test/world/console.ts'
import type { BenchWorld } from './open-world.ts'
import type { Program } from './programs.ts'

/** The console with a new owner signed in, and what a request outside tRPC must carry. */
export async function openBenchConsole({ services }: BenchWorld, { port }: Program) {
  const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await services.database.pool.query<Row>(sql, values)).rows
  const url = `http://127.0.0.1:${port}`
  const world = { url, config: services.config, services, query }
  const { console, token } = await signedInConsole(world, { email: `owner-${Date.now()}@bench.local` })
  const headers = async () => ({
    authorization: `Bearer ${token}`,
    'x-console-token': await consoleToken(world),
  })
  return { console, url, headers }
}
export type BenchConsole = Awaited<ReturnType<typeof openBenchConsole>>
