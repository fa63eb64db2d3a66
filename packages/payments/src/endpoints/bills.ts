import { z } from 'zod'
import { type Endpoint, invalid } from './endpoint.ts'

const BillLink = z.object({
  hash_type: z.literal('SHA1'),
  hash_value: z.string().regex(/^[0-9a-fA-F]{40}$/),
  download_url: z.url(),
})

/** Where a bill lies and what its plain bytes hash to. */
export type BillLink = { sha1: string; url: string }

const DAY = /^\d{4}-\d{2}-\d{2}$/

function readLink(content: unknown): BillLink | undefined {
  const { data } = BillLink.safeParse(content)
  return data && { sha1: data.hash_value.toLowerCase(), url: data.download_url }
}

function billOf(
  kind: 'tradebill' | 'fundflowbill',
  query: Readonly<Record<string, string>>,
): Endpoint<BillLink> {
  if (!DAY.test(query['bill_date'] ?? '')) throw invalid('bill_date is not YYYY-MM-DD')
  const name = kind === 'tradebill' ? 'trade_bill' : 'fund_flow_bill'
  return { name, method: 'GET', path: `/v3/bill/${kind}?${new URLSearchParams(query)}`, read: readLink }
}

/** `GET /v3/bill/tradebill` (protocol §7.1). */
export const tradeBill = (date: string) =>
  billOf('tradebill', { bill_date: date, bill_type: 'ALL', tar_type: 'GZIP' })

/** `GET /v3/bill/fundflowbill` (protocol §7.1). */
export const fundFlowBill = (date: string, account: 'BASIC' | 'OPERATION' | 'FEES') =>
  billOf('fundflowbill', { bill_date: date, account_type: account, tar_type: 'GZIP' })
