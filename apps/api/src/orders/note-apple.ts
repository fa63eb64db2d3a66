import { appleTradeType } from '@meridian/contracts'
import { execute, type Pool, Prisma, part, statement } from '@meridian/db'

const { sql } = Prisma

/** The platform says that Apple took this attempt: kept with it, and with the order that it paid. */
export async function noteApple(pool: Pool, attemptNo: string): Promise<void> {
  const attempt = sql`UPDATE order_attempts SET by_apple = true WHERE number = ${attemptNo}`
  const paid = sql`UPDATE orders SET trade_type = ${appleTradeType} WHERE paid_attempt_no = ${attemptNo}`
  await execute(
    pool,
    statement({ name: 'note-apple', parts: [part('attempt', [], attempt), part('paid', [], paid)] }),
  )
}
