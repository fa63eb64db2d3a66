import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { chinaTime } from '../endpoints/orders.ts'
import type { EndpointRequest, PlatformEndpoint } from './endpoint-request.ts'
import { type PlatformState, randomText } from './platform-state.ts'
import { badParameter, ok, plain, Refusal, type Reply } from './reply.ts'
import { writeFundFlowBill, writeTradeBill } from './write-bill.ts'

const DAY_MS = 86_400_000
const READY_AT_HOUR = 9
const KEPT_DAYS = 92
const LINK_LIVES_MS = 5 * 60_000

const against = (message: string) => new Refusal(400, { code: 'INVALID_REQUEST', message })

/** A bill is there from nine o'clock the next day, for three months (protocol §7.3). */
function checkDate(state: PlatformState, date: string): void {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw badParameter('bill_date', '格式错误')
  const midnight = new Date(`${date}T00:00:00+08:00`).getTime()
  const now = state.now().getTime()
  if (now - midnight > KEPT_DAYS * DAY_MS) throw against('账单日期超过三个月')
  if (state.billsAtOnce) return
  if (chinaTime(state.now()).slice(0, 10) <= date) throw against('不支持下载当日账单')
  if (now < midnight + DAY_MS + READY_AT_HOUR * 3_600_000) {
    throw new Refusal(400, { code: 'STATEMENT_CREATING', message: '账单生成中' })
  }
}

type WriteBill = (state: PlatformState, date: string) => string | null

/** The bill of a day that is over is written once: its bytes never change any more. */
function billOf(
  state: PlatformState,
  { path, date, write }: { path: string; date: string; write: WriteBill },
) {
  const key = `${path} ${date}`
  const written = state.bills.get(key)
  if (written !== undefined) return written
  const text = write(state, date)
  if (text === null || chinaTime(state.now()).slice(0, 10) <= date) return text
  state.bills.set(key, text)
  state.store.save({ kind: 'bill', key, value: text })
  return text
}

const askBill =
  (write: WriteBill) =>
  ({ state, query, origin, path }: EndpointRequest): Reply => {
    const date = query.get('bill_date') ?? ''
    const type = query.get('tar_type')
    if (type !== null && type !== 'GZIP') throw badParameter('tar_type', '只支持GZIP')
    checkDate(state, date)
    const text = billOf(state, { path, date, write })
    if (text === null) throw new Refusal(400, { code: 'NO_STATEMENT_EXIST', message: '账单不存在' })
    const bytes = Buffer.from(text, 'utf8')
    const token = randomText(24)
    state.billLinks.set(token, { bytes: type === 'GZIP' ? gzipSync(bytes) : bytes, madeAt: state.now() })
    const tartype = type === 'GZIP' ? '&tartype=gzip' : ''
    return ok({
      hash_type: 'SHA1',
      hash_value: createHash('sha1').update(bytes).digest('hex'),
      download_url: `${origin}/v3/billdownload/file?token=${token}${tartype}`,
    })
  }

function download({ state, query }: EndpointRequest): Reply {
  const link = state.billLinks.get(query.get('token') ?? '')
  if (!link || state.now().getTime() - link.madeAt.getTime() > LINK_LIVES_MS)
    throw against('下载链接过期，请重新申请')
  return plain(link.bytes)
}

/** Bills and their download, which alone is not signed (protocol §7). */
export const billEndpoints: readonly PlatformEndpoint[] = [
  { method: 'GET', path: /^\/v3\/bill\/tradebill$/, place: 'bill', answer: askBill(writeTradeBill) },
  { method: 'GET', path: /^\/v3\/bill\/fundflowbill$/, place: 'bill', answer: askBill(writeFundFlowBill) },
  { method: 'GET', path: /^\/v3\/billdownload\/file$/, place: 'bill_download', answer: download },
]
