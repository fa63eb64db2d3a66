import { consoleToken, hire, passwordOf, signedInConsole } from '../../apps/api/test/world/console.ts'
import type { BenchWorld } from './open-world.ts'
import type { Program } from './programs.ts'

function consoleWorld({ services }: BenchWorld, port: number) {
  const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await services.database.pool.query<Row>(sql, values)).rows
  return { url: `http://127.0.0.1:${port}`, config: services.config, services, query }
}

/** The console with a new owner signed in, and what a request outside tRPC must carry. */
export async function openBenchConsole(bench: BenchWorld, { port }: Program) {
  const world = consoleWorld(bench, port)
  const { console, token } = await signedInConsole(world, { email: `owner-${Date.now()}@bench.local` })
  const headers = async () => ({
    authorization: `Bearer ${token}`,
    'x-console-token': await consoleToken(world),
  })
  return { console, url: world.url, headers }
}
export type BenchConsole = Awaited<ReturnType<typeof openBenchConsole>>

/** A new operator who only looks, and therefore signs in by password alone. */
export async function hireViewer(bench: BenchWorld, { port }: Program) {
  const email = `viewer-${Date.now()}@bench.local`
  await hire(consoleWorld(bench, port), { email, role: 'viewer' })
  return { email, password: passwordOf(email) }
}
