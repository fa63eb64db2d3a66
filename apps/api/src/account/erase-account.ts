import { Prisma, run } from '@meridian/db'
import { forgetDevices } from '../devices/forget-devices.ts'
import { DomainError } from '../domain-error.ts'
import { inTransaction } from '../in-transaction.ts'
import { forgetPayers } from '../notifications/forget-payer.ts'
import { forgetPayer, forgottenPayer, isStillBusy } from '../orders/forget-payer.ts'
import type { Services } from '../services.ts'
import { eraseUser, lockUser } from '../users/erase-user.ts'
import type { SignedInUser } from '../users/find-user.ts'
import { openidOf } from '../users/log-in.ts'

/**
 * Erases an account: profile, reports, sessions and addresses go, bindings end, and the openid gives way to its keyed
 * mark wherever it stood, so that the books stay without the person, and a ban and a used trial still hold.
 * `code` proves that it is the person who asks, now.
 * @throws DomainError login_not_configured, invalid_login_code, erasure_blocked
 */
export async function eraseAccount(
  { miniProgram, database, dataKeys }: Services,
  { id: userId, openid }: SignedInUser,
  code: string,
): Promise<void> {
  if (!miniProgram) throw new DomainError('login_not_configured')
  if ((await openidOf(miniProgram, code)) !== openid) throw new DomainError('invalid_login_code')
  const mac = await dataKeys.markOf(openid)
  await inTransaction(database.pool, async (client) => {
    await lockUser(client, userId)
    if (await isStillBusy(client, userId)) throw new DomainError('erasure_blocked')
    const orders = await forgetPayer(client, userId, mac)
    const outTradeNos = orders.map(({ outTradeNo }) => outTradeNo)
    await forgetPayers(client, { outTradeNos, payer: forgottenPayer(mac) })
    await forgetDevices(client, userId)
    await run(client, 'erase-reports', Prisma.sql`DELETE FROM reports WHERE user_id = ${userId}::uuid`)
    await eraseUser(client, userId, mac)
  })
}
