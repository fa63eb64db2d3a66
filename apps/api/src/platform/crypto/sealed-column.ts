import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { fingerprintOf, type Secrets, seal, sealVersion, unseal } from './seal.ts'

const { sql } = Prisma

/** Where sealed values are kept; its owner says how they are read and written. */
export type SealedColumn = {
  what: string
  /** Rows of `id` (text) and `sealed` (bytea). */
  sourceSql: Prisma.Sql
  /** The name a value of this row is sealed with. */
  about: (id: string) => string
  /** Guarded: a value that was changed meanwhile stays. */
  replaceSql: (row: { id: string; before: Uint8Array; after: Uint8Array }) => Prisma.Sql
}

const headOf = (key: string) => Buffer.concat([Buffer.of(sealVersion), fingerprintOf(key)])
const startSql = sql`substring(sealed FROM 1 FOR 5)`

/** How many values each older key of the list is still needed for; those of a time before fingerprints count apart. */
export async function countOlder(pool: Pool, [newest, ...older]: Secrets, columns: readonly SealedColumn[]) {
  const sources = Prisma.join(
    columns.map(({ sourceSql }) => sql`SELECT sealed FROM (${sourceSql}) kept`),
    ' UNION ALL ',
  )
  const found = await execute(
    pool,
    query(null, sql`SELECT ${startSql} AS head, count(*)::int AS count FROM (${sources}) every GROUP BY 1`, {
      head: column.bytes,
      count: column.number,
    }),
  )
  const countOf = (key: string) => found.find(({ head }) => head.equals(headOf(key)))?.count ?? 0
  const byPlace = older.map((key, index) => ({ place: index + 2, count: countOf(key) }))
  const known = [newest, ...older].map(headOf)
  const unmarked = found
    .filter(({ head }) => !known.some((one) => one.equals(head)))
    .reduce((sum, { count }) => sum + count, 0)
  return { byPlace, unmarked }
}

const batch = 500
const sealedRow = { id: column.text, sealed: column.bytes }

/**
 * Seals every value of a column under the newest key, in batches; may be interrupted and run again.
 * @throws UnsealError naming the first value that no key opens
 */
export async function rekeyColumn(pool: Pool, keys: Secrets, column: SealedColumn): Promise<number> {
  let rekeyed = 0
  for (let after = ''; ; ) {
    const rows = await execute(
      pool,
      query(
        null,
        sql`SELECT id, sealed FROM (${column.sourceSql}) kept
        WHERE id > ${after} AND ${startSql} <> ${headOf(keys[0])} ORDER BY id LIMIT ${batch}`,
        sealedRow,
      ),
    )
    for (const { id, sealed } of rows) {
      const about = column.about(id)
      const renewed = seal(keys, about, unseal(keys, about, sealed))
      await execute(pool, query(null, column.replaceSql({ id, before: sealed, after: renewed })))
      rekeyed += 1
      after = id
    }
    if (rows.length < batch) return rekeyed
  }
}
