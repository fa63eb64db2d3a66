import { lookup } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

// Two lists: Node would match IPv4 addresses against IPv6 networks too, as if they were mapped.
const ownFour = new BlockList()
const ownSix = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  ownFour.addSubnet(network, prefix, 'ipv4')
// Of IPv6 only the global unicast addresses are public, less those that stand for something else.
for (const [network, prefix] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  ownSix.addSubnet(network, prefix, 'ipv6')

/** Whether an IP address is one of the open internet: not private, loopback, link-local, reserved or a mapping of these. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !ownFour.check(address, 'ipv4')
  return family === 6 && !ownSix.check(address, 'ipv6')
}

/** A connection would lead to an address that is not permitted. */
class NotPublicError extends Error {
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
/** Every name. */
const systemLookup = lookupWhere(() => true, 'the name leads nowhere')

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
