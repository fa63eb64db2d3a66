import { lookup } from 'node:dns'
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
/** Every name. */
export const systemLookup = lookupWhere(() => true, 'the name leads nowhere')
