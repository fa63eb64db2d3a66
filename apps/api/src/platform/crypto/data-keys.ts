import { randomBytes } from 'node:crypto'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { deriveKey, macOf, type Secrets, seal, unseal } from './seal.ts'
import type { SealedColumn } from './sealed-column.ts'

const { sql } = Prisma

const aboutKey = (name: string) => `key:${name}`

type Name = 'canary' | 'identity_mac'

/** What the program keeps sealed for itself: read, or made by whoever comes first. */
async function keptSecret(
  pool: Pool,
  keys: Secrets,
  { name, make }: { name: Name; make: () => Promise<Buffer> },
) {
  const read = () =>
    execute(
      pool,
      query('read-sealed-key', sql`SELECT sealed FROM sealed_keys WHERE name = ${name}`, {
        sealed: column.bytes,
      }),
    )
  let [found] = await read()
  if (!found) {
    const sealed = seal(keys, aboutKey(name), await make())
    await execute(
      pool,
      query(
        'keep-sealed-key',
        sql`INSERT INTO sealed_keys (name, sealed) VALUES (${name}, ${sealed}) ON CONFLICT (name) DO NOTHING`,
      ),
    )
    ;[found] = await read()
  }
  return unseal(keys, aboutKey(name), found?.sealed ?? Buffer.of())
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
    markOf: async (identity) => macOf(await readMacKey(), identity),
  }
}
