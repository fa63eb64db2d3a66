import { randomBytes } from 'node:crypto'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import {
  deriveKey,
  fingerprintOf,
  macOf,
  type Secrets,
  seal,
  sealVersion,
  UnsealError,
  unseal,
} from './seal.ts'

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

const aboutKey = (name: string) => `key:${name}`

type Name = 'canary' | 'identity_mac'

const readKept = async (pool: Pool, name: Name): Promise<Buffer | null> => {
  const [row] = await execute(
    pool,
    query('read-sealed-key', sql`SELECT sealed FROM sealed_keys WHERE name = ${name}`, {
      sealed: column.bytes,
    }),
  )
  return row?.sealed ?? null
}

/** What the program keeps sealed for itself: read, or made by whoever comes first. */
async function keptSecret(
  pool: Pool,
  keys: Secrets,
  { name, make }: { name: Name; make: () => Promise<Buffer> },
) {
  let found = await readKept(pool, name)
  if (!found) {
    const sealed = seal(keys, aboutKey(name), await make())
    await execute(
      pool,
      query(
        'keep-sealed-key',
        sql`INSERT INTO sealed_keys (name, sealed) VALUES (${name}, ${sealed}) ON CONFLICT (name) DO NOTHING`,
      ),
    )
    found = await readKept(pool, name)
  }
  return unseal(keys, aboutKey(name), found ?? Buffer.of())
}

// Before there was a key of its own the marks of erased people were made with one out of DATA_KEY: it goes on, so that
// their bans and used trials still hold. The list is newest first, and there was one key then: the oldest.
async function firstMacKey(pool: Pool, keys: Secrets): Promise<Buffer> {
  const erased = await execute(
    pool,
    query('find-erased-user', sql`SELECT 1 FROM users WHERE openid_mac IS NOT NULL LIMIT 1`),
  )
  return erased.length > 0 ? deriveKey(keys.at(-1) ?? keys[0], 'mac') : randomBytes(32)
}

export const sealedKeys: SealedColumn = {
  what: 'keys of the program',
  sourceSql: sql`SELECT name AS id, sealed FROM sealed_keys`,
  about: aboutKey,
  replaceSql: ({ id, before, after }) =>
    sql`UPDATE sealed_keys SET sealed = ${after} WHERE name = ${id} AND sealed = ${before}`,
}

export type DataKeys = {
  /**
   * Whether these keys open what is stored: a value sealed for this question alone. Written by the first program.
   * @throws UnsealError when none of them does
   */
  check: () => Promise<void>
  /** The same question without writing: whether one of them opens it; null while nothing was sealed. */
  fits: () => Promise<boolean | null>
  /** The mark of an identity, the same whatever DATA_KEY is: its key is random, made once and kept sealed. */
  markOf: (identity: string) => Promise<string>
}

/** The keys of DATA_KEY at work on one database. Reads nothing before it is asked. */
export function openDataKeys(pool: Pool, keys: Secrets): DataKeys {
  let macKey: Promise<Buffer> | null = null
  const readMacKey = () => {
    macKey ??= keptSecret(pool, keys, { name: 'identity_mac', make: () => firstMacKey(pool, keys) }).catch(
      (error: unknown) => {
        macKey = null
        throw error
      },
    )
    return macKey
  }
  return {
    check: async () => {
      await keptSecret(pool, keys, { name: 'canary', make: async () => Buffer.from('meridian') })
    },
    fits: async () => {
      const kept = await readKept(pool, 'canary')
      if (!kept) return null
      try {
        return unseal(keys, aboutKey('canary'), kept).length > 0
      } catch (error) {
        if (error instanceof UnsealError) return false
        throw error
      }
    },
    markOf: async (identity) => macOf(await readMacKey(), identity),
  }
}
