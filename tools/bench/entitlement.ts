import { config } from './config.ts'
import { fireAll, shot, withLines } from './load.ts'
import { contender, medianRate, ratiosTo, takeTurns } from './measure.ts'
import { openBenchConsole } from './open-console.ts'
import type { BenchWorld } from './open-world.ts'
import { inFlight } from './paid-road.ts'
import { sharesText } from './processor-time.ts'
import { startLookUpServer } from './programs.ts'
import { type Line, rate } from './table.ts'

const perRound = 2_000

async function openids({ services }: BenchWorld): Promise<string[]> {
  const { rows } = await services.database.pool.query<{ openid: string }>(
    `SELECT openid FROM users WHERE openid LIKE 'oBench%' ORDER BY random() LIMIT $1`,
    [perRound],
  )
  return rows.map(({ openid }) => openid)
}

/** What another system asks of a user, beside a bare look-up of one row by a unique index, over the same HTTP server. */
export async function measureEntitlement(world: BenchWorld): Promise<Line[]> {
  const server = await startLookUpServer(world)
  try {
    const { console: owner } = await openBenchConsole(world, server)
    const { id, key } = await owner.apiKey.create.mutate({ name: 'bench', scopes: ['entitlements:read'] })
    const headers = { authorization: `Bearer ${key}` }
    let asked: string[] = []
    const ask = (path: string) => () => {
      const shots = asked.map((openid) => shot({ method: 'GET', path: `${path}?openid=${openid}`, headers }))
      return withLines([server.port], inFlight, (lines) => fireAll(lines, shots, 200))
    }
    const ours = contender(ask('/api/v1/integration/entitlements'))
    const floor = contender(ask('/bare/user'))
    await takeTurns({
      rounds: config.rounds,
      groups: [[ours], [floor]],
      watched: { API: server.pid, PostgreSQL: world.postmaster },
      prepare: async () => {
        asked = await openids(world)
      },
    })
    await owner.apiKey.revoke.mutate({ id })
    console.log(`Entitlements over HTTP use ${sharesText(ours.rounds.at(-1)?.cores ?? {})}.`)
    console.log(`Bare look-ups over HTTP use ${sharesText(floor.rounds.at(-1)?.cores ?? {})}.`)
    return [
      {
        what: 'entitlement asked by another system, over HTTP',
        figure: rate(medianRate(ours)),
        floor: `bare look-up by an index, same server ${rate(medianRate(floor))}`,
        ...ratiosTo(ours, [floor]),
        aim: { atLeast: 0.5 },
      },
    ]
  } finally {
    await server.stop()
  }
}
