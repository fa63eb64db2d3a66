import ipaddr from 'ipaddr.js'

/** So much of an IPv6 address is one customer's: the rest is theirs to change at will (RFC 6177). */
const networkBits = 64

/** An entry of X-Forwarded-For may carry a port, and a socket's address a zone. */
const bare = (text: string): string =>
  text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const address = bare(text)
  if (address.includes(':')) return ipaddr.IPv6.isValid(address) ? ipaddr.process(address) : null
  return ipaddr.IPv4.isValidFourPartDecimal(address) ? ipaddr.IPv4.parse(address) : null
}

/** One spelling for each address: IPv4-mapped as IPv4, IPv6 in its short form; null for what is none. */
export const plainAddress = (text: string): string | null => parse(text)?.toString() ?? null

/** By what requests of an address are counted: IPv4 each by itself, IPv6 by its /64. What is none counts as one. */
export function networkOf(text: string): string {
  const address = parse(text)
  if (!address) return 'unknown'
  if (address instanceof ipaddr.IPv4) return address.toString()
  const prefix = ipaddr.IPv6.networkAddressFromCIDR(`${address}/${networkBits}`)
  return `${prefix}/${networkBits}`
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

const mapped: Network = [ipaddr.IPv6.parse('::ffff:0:0'), 96]

function parseNetwork(text: string): Network | null {
  const [given = '', length, ...more] = text.trim().split('/')
  const address = parse(given)
  if (!address || given !== bare(given) || more.length > 0) return null
  const isMapped = given.includes(':') && address instanceof ipaddr.IPv4
  const longest = address instanceof ipaddr.IPv4 ? 32 : 128
  if (length === undefined) return [address, longest]
  if (!/^\d{1,3}$/.test(length)) return null
  const bits = Number(length) - (isMapped ? mapped[1] : 0)
  return bits >= 0 && bits <= longest ? [address, bits] : null
}

const holds = ([network, bits]: Network, address: ipaddr.IPv4 | ipaddr.IPv6): boolean => {
  if (network instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(network, bits)
  return address instanceof ipaddr.IPv6 && address.match(network, bits)
}

/** Whether a proxy may be trusted there: an address, or a network that is not all of the internet. */
export function isProxyNetwork(text: string): boolean {
  const network = parseNetwork(text)
  if (!network || network[1] === 0) return false
  return !(network[1] <= mapped[1] && holds(network, mapped[0]))
}

/** Tells for each address whether it is one of these proxies; an address that cannot be read is none. */
export function proxyReader(networks: readonly string[]): (address: string) => boolean {
  const trusted = networks.map(parseNetwork).filter((network) => network !== null)
  return (text) => {
    const address = parse(text)
    return address !== null && trusted.some((network) => holds(network, address))
  }
}
