import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { eraseBindings } from '../devices/own-bindings.ts'
import { eraseImported } from '../imports/erase-imported.ts'
import { eraseNotes } from '../notes/write-note.ts'
import { anonymisePayers } from '../notifications/forget-notifications.ts'
import { anonymisePayer, anonymousPayer, isStillBusy } from '../orders/anonymise-payer.ts'
import { closeAttemptsOf } from '../orders/order-attempts.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import type { Services } from '../services.ts'
import { eraseTags } from '../tags/set-tag.ts'
import { openidOf } from '../users/log-in.ts'
import { eraseUser, isStillThere, lockUser, type SignedInUser } from '../users/own-account.ts'
import { type Erasure, noteErasure, readErasures } from './erasure-list.ts'

/**
 * Erases an account: profile, reports, sessions and addresses go, bindings end, and the openid gives way to its keyed
 * mark wherever it stood, so that the books stay without the person, and a ban and a used trial still hold.
 * `code` proves that it is the person who asks, now.
 * @throws DomainError login_not_configured, invalid_login_code, erasure_blocked
 */
export async function eraseAccount(
  { miniProgram, database, dataKeys, recentPurchases, config, log }: Services,
  { id: userId, openid }: SignedInUser,
  code: string,
): Promise<void> {
  if (!miniProgram) throw new DomainError('login_not_configured')
  if ((await openidOf(miniProgram, code)) !== openid) throw new DomainError('invalid_login_code')
  const mac = await dataKeys.markOf(openid)
  await inTransaction(database.pool, async (client) => {
    await lockUser(client, userId)
    if (await isStillBusy(client, userId)) throw new DomainError('erasure_blocked')
    await eraseEverything(client, userId, mac)
  })
  recentPurchases.forgetPayer(openid)
  const { ERASURE_LIST_FILE: file } = config
  // The erasure holds whatever becomes of the list: what is missing there is added daily and at each start.
  if (file)
    await noteErasure(file, { userId, mark: mac }).catch((error: Error) =>
      log.error({ reason: error.message }, 'an erasure could not be added to the list'),
    )
}

async function eraseEverything(client: PoolClient, userId: string, mac: string): Promise<void> {
  await eraseImported(client, userId, mac)
  const orders = await anonymisePayer(client, userId, mac)
  const outTradeNos = orders.map(({ outTradeNo }) => outTradeNo)
  await anonymisePayers(client, { outTradeNos, payer: anonymousPayer(mac) })
  await closeAttemptsOf(client, userId)
  await eraseBindings(client, userId)
  await execute(
    client,
    query('erase-reports', Prisma.sql`DELETE FROM reports WHERE user_id = ${userId}::uuid`),
  )
  await eraseUser(client, userId, mac)
  await eraseNotes(client, userId)
  await eraseTags(client, userId)
}

export type Applied = { listed: number; erased: number; unreadable: number }

/**
 * Erases again whom a backup has brought back: everybody on the list who is there and not erased. May be repeated.
 */
export async function applyErasures(pool: Pool, file: string): Promise<Applied> {
  const done = { listed: 0, erased: 0, unreadable: 0 }
  for await (const lines of inGroups(readErasures(file))) {
    const listed = lines.filter((line) => line !== null)
    done.listed += listed.length
    done.unreadable += lines.length - listed.length
    for (const { userId, mark } of await findUnerased(pool, listed))
      done.erased += await inTransaction(pool, async (client) => {
        if (!(await isStillThere(client, userId))) return 0
        await eraseEverything(client, userId, mark)
        return 1
      })
  }
  return done
}

async function findUnerased(pool: Pool, listed: readonly Erasure[]): Promise<Erasure[]> {
  const ids = listed.map(({ userId }) => userId)
  const rows = await execute(
    pool,
    query(
      'find-unerased-users',
      Prisma.sql`SELECT id::text AS "userId" FROM users WHERE id = ANY(${ids}::uuid[]) AND erased_at IS NULL`,
      { userId: column.text },
    ),
  )
  const there = new Set(rows.map(({ userId }) => userId))
  return listed.filter(({ userId }) => there.has(userId))
}

const atOnce = 500

async function* inGroups<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  const group: Item[] = []
  for await (const item of items) if (group.push(item) >= atOnce) yield group.splice(0)
  if (group.length > 0) yield group
}
