import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { chinaTime } from '../endpoints/orders.ts'
import type { EndpointRequest, PlatformEndpoint } from './endpoint-request.ts'
import { BILL_CONTENT_TYPES, NO_SPECIAL_BILL } from './open-questions.ts'
import { type PlatformState, randomText } from './platform-state.ts'
import { badQuery, ok, plain, Refusal, type Reply } from './reply.ts'
import { writeFundFlowBill } from './write-fund-flow-bill.ts'
import { writeTradeBill } from './write-trade-bill.ts'

const { PLAIN, PACKED } = BILL_CONTENT_TYPES
const DAY_MS = 86_400_000
const READY_AT_HOUR = 9
const KEPT_DAYS = 92
const LINK_LIVES_MS = 5 * 60_000

const against = (message: string) => new Refusal(400, { code: 'INVALID_REQUEST', message })

/** A bill is there from nine o'clock the next day, for three months (protocol §7.3). */
function checkDate(state: PlatformState, date: string): void {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw badQuery('bill_date', '格式错误')
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

/** One of the bills of a path, by the parameter that chooses it; the first is what is meant where it is absent. */
type Choice = { parameter: string; bills: ReadonlyMap<string, WriteBill> }

const noSpecialBill: WriteBill = () => {
  const { status, ...words } = NO_SPECIAL_BILL
  throw new Refusal(status, words)
}

const tradeBills: Choice = {
  parameter: 'bill_type',
  bills: new Map([
    ['ALL', writeTradeBill('ALL')],
    ['SUCCESS', writeTradeBill('SUCCESS')],
    ['REFUND', writeTradeBill('REFUND')],
    // Refunds of topped-up coupons: there are no coupons here.
    ['RECHARGE_REFUND', () => null],
    ['ALL_SPECIAL', noSpecialBill],
    ['SUC_SPECIAL', noSpecialBill],
    ['REF_SPECIAL', noSpecialBill],
  ]),
}

const fundFlowBills: Choice = {
  parameter: 'account_type',
  bills: new Map([
    ['BASIC', writeFundFlowBill('BASIC')],
    ['OPERATION', writeFundFlowBill('OPERATION')],
    ['FEES', writeFundFlowBill('FEES')],
  ]),
}

type Asked = { key: string; date: string; write: WriteBill }

/** Reads which bill is wanted (protocol §7.1). */
function chosen({ query, path }: EndpointRequest, { parameter, bills }: Choice): Asked {
  const date = query.get('bill_date') ?? ''
  const [usual] = bills.keys()
  const type = query.get(parameter) ?? usual ?? ''
  const write = bills.get(type)
  if (!write) throw badQuery(parameter, `只支持${[...bills.keys()].join('、')}`)
  return { key: type === usual ? `${path} ${date}` : `${path} ${date} ${type}`, date, write }
}

/** The bill of a day that is over is written once: its bytes never change any more. */
function billOf(state: PlatformState, { key, date, write }: Asked) {
  const written = state.bills.get(key)
  if (written !== undefined) return written
  const text = write(state, date)
  if (text === null || chinaTime(state.now()).slice(0, 10) <= date) return text
  state.bills.set(key, text)
  state.store.save({ kind: 'bill', key, value: text })
  return text
}

const askBill =
  (choice: Choice) =>
  (request: EndpointRequest): Reply => {
    const { state, query, origin } = request
    const asked = chosen(request, choice)
    const type = query.get('tar_type')
    if (type !== null && type !== 'GZIP') throw badQuery('tar_type', '只支持GZIP')
    checkDate(state, asked.date)
    const text = billOf(state, asked)
    if (text === null) throw new Refusal(400, { code: 'NO_STATEMENT_EXIST', message: '账单不存在' })
    const bytes = Buffer.from(text, 'utf8')
    const token = randomText(24)
    const file = type === 'GZIP' ? { bytes: gzipSync(bytes), type: PACKED } : { bytes, type: PLAIN }
    state.billLinks.set(token, { ...file, madeAt: state.now() })
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
  return { ...plain(link.bytes), type: link.type }
}

/** Bills and their download, which alone is not signed (protocol §7). */
export const billEndpoints: readonly PlatformEndpoint[] = [
  { method: 'GET', path: /^\/v3\/bill\/tradebill$/, place: 'bill', answer: askBill(tradeBills) },
  { method: 'GET', path: /^\/v3\/bill\/fundflowbill$/, place: 'bill', answer: askBill(fundFlowBills) },
  { method: 'GET', path: /^\/v3\/billdownload\/file$/, place: 'bill_download', answer: download },
]
