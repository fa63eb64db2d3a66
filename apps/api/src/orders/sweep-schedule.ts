import { Prisma } from '@meridian/db'
import { jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'

/** When an unpaid order is asked about after its prepay, in seconds: the platform's advice. */
const sweepSeconds = [5, 30, 60, 180, 300, 600, 1800] as const

/** One job per order: asking again replaces the job that was waiting. Both read the order's columns. */
export const sweepKeySql = jobKeySql('sweep_order', Prisma.sql`out_trade_no`)
export const sweepPayloadSql = (attempt: number) =>
  jobPayloadSql('sweep_order', { outTradeNo: Prisma.sql`out_trade_no`, attempt })

/** When to ask after this many attempts: seconds after the prepay, or null for "when the order expires". */
export const sweepAfter = (attempt: number): number | null => sweepSeconds[attempt] ?? null
