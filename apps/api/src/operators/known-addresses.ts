import { networkOf } from '@meridian/contracts/addresses'
import { column, execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'

const visitorColumns = { email: column.text, address: column.text }
/** Whose sign-in, and from where. */
export type Visitor = RowOf<typeof visitorColumns>

/** One key for an account and an address together. */
const visitorKey = ({ email, address }: Visitor): string => `${email.toLowerCase()} ${networkOf(address)}`

/** From where each account signed in well within the last thirty days. */
export type KnownAddresses = { has: (visitor: Visitor) => Promise<boolean>; add: (visitor: Visitor) => void }

const freshMs = 10_000

async function readKnown(pool: Pool): Promise<Set<string>> {
  const rows = await execute(
    pool,
    query(
      'known-addresses',
      Prisma.sql`
      SELECT DISTINCT o.email, s.address FROM operator_sessions s JOIN operators o ON o.id = s.operator_id
      WHERE s.created_at > business_now() - interval '720 hours'`,
      visitorColumns,
    ),
  )
  return new Set(rows.map(visitorKey))
}

/** Reads them at most once in ten seconds, so that a flood of sign-ins costs the database nothing. */
export function openKnownAddresses(pool: Pool): KnownAddresses {
  const added = new Map<string, number>()
  let known: { set: Promise<Set<string>>; readAt: number } | null = null
  const read = () => {
    const reading = { set: readKnown(pool), readAt: performance.now() }
    reading.set.catch(() => {
      if (known === reading) known = null
    })
    for (const [key, at] of added) if (reading.readAt - at > freshMs) added.delete(key)
    return reading
  }
  return {
    has: async (visitor) => {
      const key = visitorKey(visitor)
      if (added.has(key)) return true
      if (!known || performance.now() - known.readAt > freshMs) known = read()
      return (await known.set).has(key)
    },
    add: (visitor) => {
      added.set(visitorKey(visitor), performance.now())
    },
  }
}
