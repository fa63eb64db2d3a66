import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Answer, lookupFor, NotPublicError } from './post-message.ts'
import type { Reach } from './reachable.ts'

export type Put = {
  url: string
  headers: Readonly<Record<string, string>>
  /** How many bytes there are; the other side keeps nothing of a body that ends before. */
  length: number
  bytes: AsyncIterable<Buffer>
}

/** Whoever takes a file of the largest size at 300 KB a second has taken it by then. */
const timeoutMs = 450_000
const keptBytes = 4_096

/** What is told of an answer: its first bytes. */
async function readStart(answer: Readable): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer) {
    parts.push(Buffer.from(part))
    size += parts.at(-1)?.length ?? 0
    if (size >= keptBytes) break
  }
  return Buffer.concat(parts).subarray(0, keptBytes).toString('utf8')
}

/**
 * Sends bytes as they come, never more than the connection takes: one connection of its own, no redirect followed, the
 * first 4 KiB of the answer read. Where the connection leads is judged when it is made.
 * @throws Error when it cannot be reached, takes too long or leads where it must not
 */
export async function putStream(
  reach: Reach,
  { url: address, headers, length, bytes }: Put,
): Promise<Answer> {
  const url = new URL(address)
  if (url.protocol !== 'https:' && reach === 'public') throw new NotPublicError('only https is permitted')
  const request = url.protocol === 'https:' ? requestSecure : requestPlain
  const signal = AbortSignal.timeout(timeoutMs)
  const sent = request(url, {
    method: 'PUT',
    lookup: lookupFor(url, reach),
    headers: { ...headers, 'content-length': length },
    signal,
    agent: false,
  })
  const answered = new Promise<Answer>((resolve, reject) => {
    sent.on('error', reject)
    // Unheard, Node gives the connection up and says neither that there is an answer nor that there will be none.
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(new Error('the answer switches protocols'))
    })
    sent.on('response', (answer) =>
      readStart(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject),
    )
  })
  // A store that refuses answers before it has the body, and then takes no more of it: its answer counts.
  const written = pipeline(Readable.from(bytes, { objectMode: false }), sent, { signal })
  const failed = written.then(() => answered)
  try {
    return await Promise.race([answered, failed])
  } finally {
    written.catch(() => undefined)
    answered.catch(() => undefined)
    sent.destroy()
  }
}
