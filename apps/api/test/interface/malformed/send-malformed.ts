import { connect } from 'node:net'
import type { Malformed } from './malform.ts'

export type RawAnswer = { status: number; headers: Map<string, string>; body: unknown }

/** Whether its headers speak of the body's length themselves, rightly or wrongly. */
const saysLength = ({ headers }: Malformed): boolean =>
  headers.some(([name]) => ['content-length', 'transfer-encoding'].includes(name))

/** Who promises more than it sends, or might, hangs up when all is sent: it may get no answer. */
export const hangsUp = (request: Malformed): boolean => request.promises !== undefined || saysLength(request)

const written = (request: Malformed, host: string): Buffer => {
  const { method, target, headers, body, promises } = request
  const length = promises ?? body.length
  const lines = [
    `${method} ${target.replaceAll(/\s/g, '')} HTTP/1.1`,
    `host: ${host}`,
    'connection: close',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(saysLength(request) ? [] : [`content-length: ${length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body])
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The pieces of a chunked body, put together (RFC 9112 §7.1). */
function unchunked(text: string): string {
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, end).toString(), 16)
    if (end < 0 || !(size > 0)) break
    pieces.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(pieces).toString()
}

function readAnswer(bytes: Buffer): RawAnswer | null {
  const text = bytes.toString().replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '')
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
  if (!status) return null
  const headers = new Map(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.toLowerCase(), value.join(':').trim()]
    }),
  )
  const body = rest.join('\r\n\r\n')
  const chunked = headers.get('transfer-encoding') === 'chunked'
  return { status, headers, body: parsed(chunked ? unchunked(body) : body) }
}

/** What a server answers to these bytes on a connection of their own; null: it hung up without a word. */
export function sendMalformed(url: URL, request: Malformed): Promise<RawAnswer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(url.port), url.hostname)
    socket.setTimeout(60_000, () => socket.destroy(new Error('no answer in a minute')))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may refuse before it has read everything; what it said counts.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.on('close', () => resolve(readAnswer(Buffer.concat(chunks))))
    socket.write(written(request, url.host))
    if (hangsUp(request)) socket.end()
  })
}
