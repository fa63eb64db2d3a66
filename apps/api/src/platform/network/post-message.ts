import { lookup } from 'node:dns'
import { type ClientRequest, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { hostOf, isPublicAddress, mayReach, type Reach } from './reachable.ts'

/** A connection would lead to an address that is not permitted. */
export class NotPublicError extends Error {
  constructor(message = 'the name does not lead to a public address') {
    super(message)
    this.name = 'NotPublicError'
  }
}

/**
 * Resolves a name for a connection and refuses it when any of its addresses is not permitted: judged where the
 * connection is made, so that no second answer of the name server can slip in between.
 */
const lookupWhere =
  (isPermitted: (address: string) => boolean, refusal: string): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      if (addresses.length === 0 || !addresses.every(({ address }) => isPermitted(address)))
        return callback(new NotPublicError(refusal), '')
      const [first] = addresses
      return options.all
        ? callback(null, addresses)
        : callback(null, first?.address ?? '', first?.family ?? 0)
    })
  }

/** Names of the open internet alone. */
export const publicLookup = lookupWhere(isPublicAddress, 'the name does not lead to a public address')
/** Names inside alone: what is not encrypted must not leave the house. */
export const insideLookup = lookupWhere(
  (address) => !isPublicAddress(address),
  'the name leads to a public address, where only https is permitted',
)
/** Every name that leads to what may be reached. */
const reachableLookup = (reach: Reach): LookupFunction =>
  lookupWhere((address) => mayReach(address, reach), 'the name leads to an address that is not permitted')

export type Message = {
  url: string
  method: 'GET' | 'POST'
  body?: string
  headers?: Readonly<Record<string, string>>
}
export type Answer = { status: number; body: string }
/** Sends one request and reads its answer. */
export type Post = (message: Message) => Promise<Answer>

/** Shorter than a lease has left when it is looked at: what was begun is over before somebody else may begin. */
export const patienceMs = 7_000
const largestAnswer = 64 * 1024

/** Whom a connection may lead to: an encrypted one to the internet, and elsewhere as far as that is permitted. */
export function lookupFor(url: URL, reach: Reach) {
  const host = hostOf(url)
  const isPlain = url.protocol !== 'https:'
  if (isPlain && reach === 'public') throw new NotPublicError('only https is permitted')
  // A name goes through the look-up; an address by number would not.
  if (isIP(host) !== 0) {
    if (isPublicAddress(host) && isPlain && reach === 'inside')
      throw new NotPublicError('only https is permitted to a public address')
    if (!mayReach(host, reach)) throw new NotPublicError('the address is not public')
  }
  if (reach === 'public') return publicLookup
  return isPlain && reach === 'inside' ? insideLookup : reachableLookup(reach)
}

const nameServerPatienceMs = 2_000

/**
 * Whether an address leads where it must not by what the name server says now. One that it does not know, or not in two
 * seconds, is judged when a connection is made.
 */
export async function leadsAstray(address: string, reach: Reach): Promise<boolean> {
  const url = new URL(address)
  const asked = new Promise<boolean>((resolve) =>
    lookupFor(url, reach)(hostOf(url), { all: false }, (error) => resolve(error instanceof NotPublicError)),
  )
  return Promise.race([asked, pause(nameServerPatienceMs, false, { ref: false })])
}

/** How a request is bounded: seven seconds, and at most 64 KiB of an answer, of which nothing longer is taken. */
type Bounds = {
  timeoutMs?: number
  /**
   * Reads so many bytes of an answer and leaves the rest, instead of refusing what is too long. The status counts once it
   * is there, with what came of the body, also where the body does not end in time or is cut off.
   */
  keepBytes?: number
}

/** What a request is answered, as far as it is read. */
const readAnswer = (sent: ClientRequest, keepBytes: number | undefined): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let fail: (error: Error) => void = reject
    sent.on('error', (error) => fail(error))
    sent.on('upgrade', (_answer, socket) => {
      // Unheard, Node gives the connection up and says neither that there is an answer nor that there will be none.
      socket.destroy()
      reject(new Error('the answer switches protocols'))
    })
    sent.on('response', (answer) => {
      const parts: Buffer[] = []
      let bytes = 0
      const end = () => {
        const whole = Buffer.concat(parts).subarray(0, keepBytes)
        resolve({ status: answer.statusCode ?? 0, body: whole.toString('utf8') })
      }
      if (keepBytes !== undefined) fail = end
      answer.on('data', (part: Buffer) => {
        parts.push(part)
        bytes += part.length
        if (keepBytes !== undefined && bytes >= keepBytes) {
          end()
          sent.destroy()
        } else if (keepBytes === undefined && bytes > largestAnswer)
          answer.destroy(new Error('the answer is too long'))
      })
      answer.on('end', end)
      answer.on('error', (error) => fail(error))
    })
  })

/**
 * A way to send: one connection of its own, no redirect followed, at most 64 KiB of the answer read, seven seconds.
 * Where the connection leads is judged when it is made.
 * @throws Error when it cannot be reached, takes too long or leads where it must not
 */
export const postWith =
  (reach: Reach, { timeoutMs = patienceMs, keepBytes }: Bounds = {}): Post =>
  async ({ url: address, method, body, headers: given = {} }) => {
    const url = new URL(address)
    const request = url.protocol === 'https:' ? requestSecure : requestPlain
    const headers = {
      'user-agent': 'meridian/1',
      ...given,
      ...(body !== undefined && {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      }),
    }
    const lookup = lookupFor(url, reach)
    const signal = AbortSignal.timeout(timeoutMs)
    const sent = request(url, { method, lookup, headers, signal, agent: false })
    sent.end(body)
    return readAnswer(sent, keepBytes)
  }
