import { createReadStream, existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { type Pool, Prisma, run } from '@meridian/db'
import { z } from 'zod'

/** Who was erased: the number that names nobody any more, and the mark by which a ban still holds. */
const Erasure = z.object({ user_id: z.uuid(), mark: z.string().min(1) })
export type Erasure = { userId: string; mark: string }

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

/** Brings the list up to what the database knows: an erasure whose process died before it was noted. */
export async function completeErasureList(pool: Pool, file: string): Promise<number> {
  const listed = new Set<string>()
  for await (const erasure of readErasures(file)) if (erasure) listed.add(erasure.userId)
  const erased = await run<Erasure>(
    pool,
    'list-erased-users',
    Prisma.sql`SELECT id::text AS "userId", openid_mac AS mark FROM users WHERE erased_at IS NOT NULL AND openid_mac IS NOT NULL`,
  )
  const missing = erased.filter(({ userId }) => !listed.has(userId))
  if (missing.length > 0) await append(file, missing)
  return missing.length
}
