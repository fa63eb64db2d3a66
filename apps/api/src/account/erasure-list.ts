import { createReadStream, existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { column, execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { z } from 'zod'

/** Who was erased: the number that names nobody any more, and the mark by which a ban still holds. */
const Erasure = z.object({ user_id: z.uuid(), mark: z.string().min(1) })
const erasureColumns = { userId: column.text, mark: column.text }
export type Erasure = RowOf<typeof erasureColumns>

/** Adds to the list, on disk when it returns. */
async function append(file: string, erasures: readonly Erasure[]): Promise<void> {
  const lines = erasures.map(({ userId, mark }) => `${JSON.stringify({ user_id: userId, mark })}\n`)
  const list = await open(file, 'a+', 0o600)
  try {
    const { size } = await list.stat()
    const { buffer } = await list.read({ buffer: Buffer.alloc(1), position: Math.max(0, size - 1) })
    const torn = size > 0 && buffer.toString() !== '\n'
    await list.appendFile((torn ? '\n' : '') + lines.join(''))
    await list.sync()
  } finally {
    await list.close()
  }
}

/** Adds one erasure to the list beside the database, so that a backup from before it does not undo it. */
export const noteErasure = (file: string, erasure: Erasure): Promise<void> => append(file, [erasure])

/**
 * Reads the list line by line. A line that a crash cut off is null: its erasure is in the database, and is added again
 * when the list is completed.
 */
export async function* readErasures(file: string): AsyncGenerator<Erasure | null> {
  if (!existsSync(file)) return
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) if (line !== '') yield parseLine(line)
}

function parseLine(line: string): Erasure | null {
  try {
    const { user_id: userId, mark } = Erasure.parse(JSON.parse(line))
    return { userId, mark }
  } catch {
    return null
  }
}

/** How many erased people are held in memory at once; the list is read once for so many. */
const atOnce = 10_000

/** Before every id. */
const nilUuid = '00000000-0000-0000-0000-000000000000'

const erasedAfter = (pool: Pool, after: string): Promise<Erasure[]> =>
  execute(
    pool,
    query(
      'list-erased-users',
      Prisma.sql`
      SELECT id::text AS "userId", openid_mac AS mark FROM users
      WHERE erased_at IS NOT NULL AND openid_mac IS NOT NULL AND id > ${after}::uuid ORDER BY id LIMIT ${atOnce}`,
      erasureColumns,
    ),
  )

/** Those of them whom the list does not name. */
async function missingFrom(file: string, erased: readonly Erasure[]): Promise<Erasure[]> {
  const missing = new Map(erased.map((erasure) => [erasure.userId, erasure]))
  for await (const erasure of readErasures(file)) if (erasure) missing.delete(erasure.userId)
  return [...missing.values()]
}

/** Brings the list up to what the database knows: an erasure whose process died before it was noted. */
export async function completeErasureList(pool: Pool, file: string): Promise<void> {
  for (let after: string | undefined = nilUuid; after !== undefined; ) {
    const erased = await erasedAfter(pool, after)
    const missing = await missingFrom(file, erased)
    if (missing.length > 0) await append(file, missing)
    after = erased.length < atOnce ? undefined : erased.at(-1)?.userId
  }
}
