import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'

/**
 * What an address keeps of a connection between its transactions: all of it, as PostgreSQL itself does; the statements
 * that were prepared by name and nothing else, as PgBouncer 1.21 and newer with `max_prepared_statements`; or nothing.
 */
export type Kept = 'session' | 'names' | 'nothing'

/** Others who come and go may part the two for some rounds; each takes six questions. */
const rounds = 8

/** What a server says to a name that nobody prepared on it, and to one that somebody else did (SQLSTATE). */
const isForeignName = (error: unknown) =>
  error instanceof Error && 'code' in error && ['26000', '42P05'].includes(String(error.code))

/**
 * Two connections tell: one of their own has the same server process in every transaction, and nobody else has it. A
 * pooler in transaction mode gives each transaction any idle connection: while the second client holds one, the first
 * gets another; and the second gets, now or in a later round, the one that the first had. Each asks by a name that both
 * prepare anew in each round and by one that nobody else does, so that the same process for both, and another one for
 * either, is an error where names are not kept. Nothing is left behind but these names. The caller throws both connections away.
 * @throws what the database throws, but for names
 */
export async function findKept(first: PoolClient, second: PoolClient): Promise<Kept> {
  const run = `meridian_kept_${randomUUID()}`
  const askers = [askerOf(first, run), askerOf(second, run)] as const
  try {
    for (let round = 1; round <= rounds; round++) {
      if (await areMixed(...askers, round)) {
        await second.query('ROLLBACK')
        await askInTurns(...askers)
        return 'names'
      }
    }
    return 'session'
  } catch (error) {
    if (isForeignName(error)) return 'nothing'
    throw error
  }
}

type Asker = { client: PoolClient; ask: (round: number) => Promise<number | undefined> }

function askerOf(client: PoolClient, run: string): Asker {
  const ownName = `meridian_kept_${randomUUID()}`
  return {
    client,
    ask: async (round) => {
      await serverOf(client, `${run}_${round}`)
      return serverOf(client, ownName)
    },
  }
}

async function areMixed(first: Asker, second: Asker, round: number): Promise<boolean> {
  const own = await first.ask(round)
  const other = await second.ask(round)
  if (other === own) return true
  await second.client.query('BEGIN')
  const held = await second.ask(round)
  // Where the pooler has a single connection the first would now wait for it.
  if (held !== other) return true
  const again = await first.ask(round)
  await second.client.query('ROLLBACK')
  return again !== own
}

/** Until each has met a process that it did not prepare anything on, or one on which the other did. */
async function askInTurns(first: Asker, second: Asker): Promise<void> {
  for (let round = rounds + 1; round <= 4 * rounds; round++) {
    await first.ask(round)
    await second.ask(round)
    await second.ask(round)
  }
}

async function serverOf(client: PoolClient, name: string): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>({ name, text: 'SELECT pg_backend_pid() AS pid' })
  return rows[0]?.pid
}
