import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { isFields, parseJson } from '../read-fields.ts'
import { billEndpoints } from './bill-endpoints.ts'
import { certificateEndpoint } from './certificate-endpoint.ts'
import { checkRequest, type KnownMerchant } from './check-request.ts'
import type { EndpointRequest, PlatformEndpoint } from './endpoint-request.ts'
import type { InjectedFaults } from './fault-injection.ts'
import { failure, miniProgramEndpoints } from './mini-program-endpoints.ts'
import { orderEndpoints } from './order-endpoints.ts'
import { type PlatformState, randomText, remember } from './platform-state.ts'
import { refundEndpoints } from './refund-endpoints.ts'
import { Refusal, type Reply } from './reply.ts'
import { forgedKey, keyForAnswer, signatureHeaders } from './sign-and-seal.ts'
import { virtualEndpoints } from './virtual-endpoints.ts'

const endpoints: readonly PlatformEndpoint[] = [
  ...orderEndpoints,
  ...refundEndpoints,
  ...billEndpoints,
  certificateEndpoint,
  ...miniProgramEndpoints,
  ...virtualEndpoints,
]

const LONGEST_BODY_BYTES = 1024 * 1024

export async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of request) {
    if (!(part instanceof Uint8Array)) continue
    length += part.length
    if (length <= LONGEST_BODY_BYTES) parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

type Exchange = {
  state: PlatformState
  merchant: KnownMerchant
  request: IncomingMessage
  response: ServerResponse
  text: string
}

/** Answers one request to the payment or mini-program paths, with the injected faults. */
export async function answerRequest(exchange: Exchange): Promise<void> {
  const { state, request, response } = exchange
  const found = find(exchange)
  const faults = found ? state.faults.take(found.endpoint.place, found.orderNo) : null
  const reply = forced(found, faults) ?? judged(exchange, found, faults)
  const delayMs = faults?.rule('delay')?.ms ?? 0
  if (delayMs > 0) await wait(delayMs)
  const late = faults?.rule('error_after')
  note(exchange, late ? (late.status ?? 500) : reply.status)
  if (faults?.has('drop')) request.socket.destroy()
  else if (late) write(response, { reply: systemError(late.status), headers: {}, bytes: null })
  else write(response, signed(exchange, reply, faults))
}

type Found = {
  endpoint: PlatformEndpoint
  orderNo: string | null
  asked: Omit<EndpointRequest, 'faults'>
}

function find({ state, request, text }: Exchange): Found | null {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`)
  const endpoint = endpoints.find(({ method, path }) => method === request.method && path.test(url.pathname))
  if (!endpoint) return null
  const groups = endpoint.path.exec(url.pathname)?.groups ?? {}
  const parts = Object.fromEntries(Object.entries(groups).map(([name, part]) => [name, decoded(part)]))
  const content = text === '' ? {} : parseJson(Buffer.from(text, 'utf8'))
  const body = isFields(content) ? content : {}
  const serial = request.headers['wechatpay-serial']
  const asked = {
    state,
    method: endpoint.method,
    path: url.pathname,
    parts,
    query: url.searchParams,
    body,
    text,
    serial: typeof serial === 'string' ? serial : undefined,
    origin: url.origin,
  }
  return { endpoint, orderNo: endpoint.orderOf?.({ parts, body, state }) ?? null, asked }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const HTML = Buffer.from('<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>')

/** What an injected fault answers before anybody looks at the request. */
function forced(found: Found | null, faults: InjectedFaults | null): Reply | null {
  if (faults?.has('rate_limited')) {
    // Errors of virtual payment are numbers in an answer of status 200 (virtual payment §3.11).
    if (found?.endpoint.place === 'xpay') return failure(268490015, '频率限制')
    return { status: 429, body: { code: 'FREQUENCY_LIMITED', message: '频率限制' }, signed: false }
  }
  if (faults?.has('html')) return { status: 502, body: HTML, signed: false, type: 'text/html' }
  const early = faults?.rule('error_before')
  return early ? systemError(early.status) : null
}

const systemError = (status = 500): Reply => ({
  status,
  body: { code: 'SYSTEM_ERROR', message: '系统异常，请稍后重试' },
  signed: false,
})

const NO_FAULTS: InjectedFaults = { has: () => false, rule: () => undefined }

function judged(exchange: Exchange, found: Found | null, faults: InjectedFaults | null): Reply {
  try {
    const isPayment = !exchange.request.url?.match(/^\/(sns|cgi-bin|wxa|xpay|xpay-bills)\//)
    if (isPayment) checkRequest(toReceived(exchange), exchange.merchant, exchange.state.clock)
    if (!found) throw new Refusal(404, { code: 'RESOURCE_NOT_EXISTS', message: '请求的资源不存在' })
    refuseNulls(found.asked.body)
    return found.endpoint.answer({ ...found.asked, faults: faults ?? NO_FAULTS })
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: error.words, signed: false }
    throw error
  }
}

const toReceived = ({ request, text }: Exchange) => ({
  method: request.method ?? '',
  target: request.url ?? '',
  headers: flatHeaders(request),
  text,
})

function flatHeaders({ headers }: IncomingMessage): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) flat[name] = String(value)
  return flat
}

function refuseNulls(value: unknown): void {
  if (value === null) throw new Refusal(400, { code: 'PARAM_ERROR', message: '参数不能为null' })
  if (typeof value === 'object') for (const part of Object.values(value)) refuseNulls(part)
}

type Outgoing = { reply: Reply; headers: Record<string, string>; bytes: Buffer | null }

function signed({ state, request }: Exchange, reply: Reply, faults: InjectedFaults | null): Outgoing {
  const bytes = bytesOf(reply.body)
  const dated = { Date: state.now().toUTCString() }
  const sent = faults?.has('corrupt_byte') ? flipped(bytes) : bytes
  if (!reply.signed || faults?.has('unsigned')) return { reply, headers: dated, bytes: sent }
  const wanted = request.headers['wechatpay-serial']
  const key = keyForAnswer(state, typeof wanted === 'string' ? wanted : undefined)
  const headers = signatureHeaders({
    body: bytes,
    key: faults?.has('wrong_key') ? forgedKey(state, key) : key,
    now: state.now(),
    faults: {
      probe: faults?.has('probe'),
      clockSkewSeconds: faults?.has('clock_skew') ? (faults.rule('clock_skew')?.seconds ?? -600) : 0,
      serial: faults?.has('unknown_serial') ? 'PUB_KEY_ID_0000000000000000000000000000000000' : undefined,
    },
  })
  return { reply, headers: { ...headers, ...dated }, bytes: sent }
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body), 'utf8')
}

/** One bit off, near the end, where the bytes stay JSON. */
function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const at = Math.max(copy.length - 4, 0)
  if (at < copy.length) copy[at] = copy.readUInt8(at) ^ 1
  return copy
}

function write(response: ServerResponse, { reply, headers, bytes }: Outgoing): void {
  const body = bytes ?? bytesOf(reply.body)
  const type = reply.type ?? 'application/json; charset=utf-8'
  const requestId = `${randomText(12).toUpperCase()}-${reply.status < 300 ? '0' : '268435461'}`
  response.writeHead(reply.status, {
    'Request-ID': requestId,
    ...(reply.status !== 204 && { 'Content-Type': type, 'Content-Length': String(body.length) }),
    ...headers,
  })
  response.end(reply.status === 204 ? undefined : body)
}

function note({ state, request, text }: Exchange, status: number): void {
  const { method = '', url: path = '' } = request
  remember(state.requests, {
    at: state.now(),
    method,
    path,
    headers: flatHeaders(request),
    body: text,
    status,
  })
}
