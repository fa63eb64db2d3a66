import { execute, type Pool, Prisma, reading, statement } from '@meridian/db'
import { enqueueJobPart } from '../../jobs/job-table.ts'
import { followJob } from '../../payments/apply-payment.ts'
import { followPayments } from '../../payments/follow-payment.ts'
import type { Services } from '../../services.ts'
import { queueShipping } from '../../shipping/queue-shipping.ts'

/** What follows these payments, each step for all of them at once. Repeating it changes nothing further. */
export async function followTogether(pool: Pool, outTradeNos: readonly string[]): Promise<void> {
  await queueShipping(pool, outTradeNos)
  await followPayments(pool, outTradeNos)
}

/** One job for each payment, with tries of its own. */
async function followApart(pool: Pool, outTradeNos: readonly string[]): Promise<void> {
  const paid = Prisma.sql`unnest(${[...outTradeNos]}::text[]) paid(out_trade_no)`
  const parts = [enqueueJobPart('follow_up', reading([], paid), followJob)]
  await execute(pool, statement({ name: 'follow-apart', parts }))
}

/** The same for a batch: where one payment fails all, every one is followed by a job of its own. */
export async function followBatch(
  { database: { pool }, log }: Services,
  outTradeNos: readonly string[],
): Promise<void> {
  await followTogether(pool, outTradeNos).catch(async (error: unknown) => {
    log.warn(
      { component: 'jobs', payments: outTradeNos.length, reason: String(error) },
      'payments could not be followed together and are followed one by one',
    )
    await followApart(pool, outTradeNos)
  })
}
