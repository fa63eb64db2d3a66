import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline as pipe, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { type Endpoint, invalid } from '../endpoints/endpoint.ts'
import { PaymentsError } from '../payments-error.ts'
import type { Call } from '../request.ts'
import { observed } from '../runtime.ts'
import { openResponse, readAnswer, refusal, type Sender } from '../send-once.ts'
import type { AbsentBill, ReadyBill } from './bill.ts'
import { withoutColumn } from './bill-cells.ts'
import { atMost, chunksOf } from './bounded-bytes.ts'
import { type BillLayout, MalformedBill, readTable } from './read-table.ts'

const BillLink = z.object({
  hash_type: z.literal('SHA1'),
  hash_value: z.string().regex(/^[0-9a-fA-F]{40}$/),
  download_url: z.url(),
})

/** Where a bill lies and what its plain bytes hash to. */
type BillLink = { sha1: string; url: string }

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

const DOWNLOAD_WITHIN_MS = 10 * 60_000
/** 1.3 million rows of some 400 bytes: fifteen orders a second, all day long. */
const LONGEST_BILL_BYTES = 512 * 1024 ** 2
/** What is written to the disk: text of such rows packs to an eighth and less. */
const LONGEST_PACKED_BYTES = 64 * 1024 ** 2

type BillParts = { call: Call; sender: Sender }

const absences: Readonly<Record<string, AbsentBill['state']>> = {
  NO_STATEMENT_EXIST: 'no_statement',
  STATEMENT_CREATING: 'creating',
}

/**
 * Asks for a bill, downloads it to a temporary file and checks its SHA-1 over the plain bytes against the signed
 * answer (protocol §7.1, §7.2): only then is there a bill to read. The download itself is unsigned by design, so what
 * comes is bounded on the disk and unpacked. Throws PaymentsError `malformed_answer` beyond.
 */
export async function fetchBill<Row>(
  parts: BillParts,
  endpoint: Endpoint<BillLink>,
  layout: BillLayout<Row>,
): Promise<ReadyBill<Row> | AbsentBill> {
  const link = await parts.call(endpoint).catch((error: unknown) => absenceOf(error))
  if ('state' in link) return link
  const folder = await mkdtemp(join(tmpdir(), 'bill-'))
  const discard = () => rm(folder, { recursive: true, force: true })
  try {
    const file = join(folder, 'bill.gz')
    const call = { platform: 'payment', endpoint: 'bill_download' } as const
    await observed(parts.sender.runtime, call, () => download(parts.sender, link.content.url, file))
    await checkHash(file, link.content.sha1)
    return readyBill({ file, discard, sha1: link.content.sha1, requestId: link.requestId }, layout)
  } catch (error) {
    await discard()
    throw error
  }
}

function absenceOf(error: unknown): AbsentBill {
  if (!(error instanceof PaymentsError) || error.code === null) throw error
  const state = absences[error.code]
  if (state === undefined) throw error
  return { state, requestId: error.requestId }
}

async function download(sender: Sender, link: string, file: string): Promise<void> {
  const url = new URL(link)
  if (!isTrusted(url, sender.credentials.baseUrl)) {
    throw new PaymentsError('malformed_answer', { about: 'the bill lies with a stranger' })
  }
  const attempt = { url, signal: AbortSignal.timeout(DOWNLOAD_WITHIN_MS) }
  const response = await openResponse(sender, { method: 'GET', bodyText: '' }, attempt)
  if (response.status !== 200 || response.body === null) {
    throw refusal(await readAnswer(response, attempt.signal))
  }
  const packed = atMost(LONGEST_PACKED_BYTES, chunksOf(response.body))
  await pipeline(packed, createWriteStream(file, { mode: 0o600 })).catch((cause: unknown) => {
    if (cause instanceof PaymentsError) throw cause
    throw new PaymentsError('unreachable', { about: 'the download broke off', cause })
  })
}

/** Our signature goes to the platform and nobody else, even if an answer says so. */
const isTrusted = (url: URL, baseUrl: URL): boolean =>
  url.origin === baseUrl.origin ||
  (url.protocol === 'https:' && /\.(mch\.weixin\.qq\.com|wechatpay\.cn)$/.test(`.${url.host}`))

/** A failing file ends the reader, not the process; a reader that stops lets go of the file. */
const plainBytes = (file: string): Readable => pipe(createReadStream(file), createGunzip(), () => undefined)

async function checkHash(file: string, sha1: string): Promise<void> {
  const hash = createHash('sha1')
  try {
    for await (const piece of atMost(LONGEST_BILL_BYTES, plainBytes(file))) hash.update(piece)
  } catch (cause) {
    if (cause instanceof PaymentsError) throw cause
    throw new PaymentsError('malformed_answer', { about: 'the bill cannot be unpacked', cause })
  }
  if (hash.digest('hex') !== sha1)
    throw new PaymentsError('unverified_answer', { about: 'the bill has another hash' })
}

type StoredBill = { file: string; discard: () => Promise<void>; sha1: string; requestId: string | null }

function readyBill<Row>(
  { file, discard, sha1, requestId }: StoredBill,
  layout: BillLayout<Row>,
): ReadyBill<Row> {
  return {
    state: 'ready',
    requestId,
    sha1,
    discard,
    bytes: () => (layout.payer ? withoutColumn(plainBytes(file), layout.payer) : plainBytes(file)),
    rows: () => rowsOf(file, layout, discard),
  }
}

async function* rowsOf<Row>(
  file: string,
  layout: BillLayout<Row>,
  discard: () => Promise<void>,
): AsyncGenerator<Row> {
  try {
    yield* readTable(plainBytes(file), layout)
  } catch (error) {
    if (!(error instanceof MalformedBill) && !(error instanceof RangeError)) throw error
    throw new PaymentsError('malformed_answer', { about: error.message })
  } finally {
    await discard()
  }
}
