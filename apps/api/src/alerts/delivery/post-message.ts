import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP } from 'node:net'
import {
  insideLookup,
  isPublicAddress,
  NotPublicError,
  publicLookup,
  systemLookup,
} from '../public-address.ts'

export type Message = { url: string; method: 'GET' | 'POST'; body?: string }
export type Answer = { status: number; body: string }
/** Sends one request and reads its answer. */
export type Post = (message: Message) => Promise<Answer>

/** Shorter than a lease has left when it is looked at: what was begun is over before somebody else may begin. */
export const patienceMs = 7_000
const largestAnswer = 64 * 1024

/** Whom a connection may lead to: an encrypted one to the internet, and inside where that is permitted. */
function lookupFor(url: URL, allowPrivate: boolean) {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'https:'
  // A name goes through the look-up; an address by number would not.
  if (isIP(host) !== 0) {
    const isPublic = isPublicAddress(host)
    if (isPublic && !isSecure) throw new NotPublicError('only https is permitted to a public address')
    if (!isPublic && !allowPrivate) throw new NotPublicError('the address is not public')
  }
  if (!allowPrivate) return publicLookup
  return isSecure ? systemLookup : insideLookup
}

/**
 * A way to send: one connection of its own, no redirect followed, at most 64 KiB of the answer read, seven seconds.
 * Where the connection leads is judged when it is made.
 * @throws Error when it cannot be reached, takes too long or leads where it must not
 */
export const postWith =
  (allowPrivate: boolean): Post =>
  async ({ url: address, method, body }) => {
    const url = new URL(address)
    if (url.protocol !== 'https:' && !allowPrivate) throw new NotPublicError('only https is permitted')
    const request = url.protocol === 'https:' ? requestSecure : requestPlain
    const headers = {
      'user-agent': 'meridian/1',
      ...(body !== undefined && {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      }),
    }
    const lookup = lookupFor(url, allowPrivate)
    const signal = AbortSignal.timeout(patienceMs)
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, lookup, headers, signal, agent: false }, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
          if (text.length > largestAnswer) answer.destroy(new Error('the answer is too long'))
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }))
        answer.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }
