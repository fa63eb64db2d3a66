import { column, execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'

const { sql } = Prisma

/** A place in the chain and its hash, hexadecimal: noted elsewhere, it shows later whether the end was cut off. */
export type ChainHead = { seq: bigint; hash: string }

export type ChainReport = {
  /** How many links were recomputed. */
  checked: number
  /** Null while nothing was written. */
  head: ChainHead | null
  breaks: { seq: bigint; entryId: string; what: 'missing' | 'changed' | 'gap' }[]
  /** Entries without a link: put in while the trigger was off. */
  unchained: number
}

const batch = 5_000
/** As many as a person can look at. */
const mostBreaks = 100

const linkColumns = {
  seq: column.bigint,
  entryId: column.text,
  hash: column.bytes,
  missing: column.boolean,
  matches: column.boolean,
}
type Link = RowOf<typeof linkColumns>

// A link is compared with the stored hash before it, so one changed entry is one break and not all after it.
const linksAfter = (seq: bigint) => sql`
  SELECT link.seq, link.entry_id::text AS "entryId", link.hash, entry.id IS NULL AS missing,
    coalesce(link.hash = audit_entry_hash(coalesce(previous.hash, ''), entry), false) AS matches
  FROM audit_chain link
    LEFT JOIN audit_chain previous ON previous.seq = link.seq - 1
    LEFT JOIN audit_entries entry ON entry.id = link.entry_id
  WHERE link.seq > ${seq} ORDER BY link.seq LIMIT ${batch}`

const faultOf = ({ seq, missing, matches }: Link, expected: bigint) =>
  seq !== expected ? 'gap' : missing ? 'missing' : matches ? null : 'changed'

/**
 * Recomputes the hash chain of the audit log in batches: constant memory at any length. What an owner of the database
 * cut off at the end shows only against a head that was noted before: see `hasHead`.
 */
export async function verifyChain(pool: Pool): Promise<ChainReport> {
  const report: ChainReport = { checked: 0, head: null, breaks: [], unchained: await countUnchained(pool) }
  for (;;) {
    const links = await execute(
      pool,
      query('read-audit-links', linksAfter(report.head?.seq ?? 0n), linkColumns),
    )
    for (const link of links) {
      const what = faultOf(link, (report.head?.seq ?? 0n) + 1n)
      if (what && report.breaks.length < mostBreaks)
        report.breaks.push({ seq: link.seq, entryId: link.entryId, what })
      report.head = { seq: link.seq, hash: link.hash.toString('hex') }
      report.checked += 1
    }
    if (links.length < batch) return report
  }
}

async function countUnchained(pool: Pool): Promise<number> {
  const [row] = await execute(
    pool,
    query(
      'count-unchained-audit-entries',
      sql`SELECT count(*)::int AS count FROM audit_entries entry
      WHERE NOT EXISTS (SELECT FROM audit_chain link WHERE link.entry_id = entry.id)`,
      { count: column.number },
    ),
  )
  return row?.count ?? 0
}

/** Whether a head that was noted before still stands in the chain. */
export async function hasHead(pool: Pool, { seq, hash }: ChainHead): Promise<boolean> {
  const rows = await execute(
    pool,
    query(
      'find-audit-link',
      sql`SELECT 1 FROM audit_chain WHERE seq = ${seq} AND hash = ${Buffer.from(hash, 'hex')}`,
    ),
  )
  return rows.length > 0
}
