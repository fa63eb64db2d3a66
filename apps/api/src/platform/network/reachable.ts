import { BlockList, isIP } from 'node:net'

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

/** Whom a message may be sent to: the open internet, this machine as well, or whatever lies inside. */
export type Reach = 'public' | 'loopback' | 'inside'

const isLoopback = (address: string): boolean => /^127\.|^::1$/.test(address)

/** Whether an IP address may be connected to. */
export const mayReach = (address: string, reach: Reach): boolean =>
  isPublicAddress(address) || reach === 'inside' || (reach === 'loopback' && isLoopback(address))

const namesInside = /^[^.]+$|\.(localhost|local|internal|home\.arpa)$/
const isNameOfLoopback = (host: string) => /^localhost$|\.localhost$/.test(host)

/** What a host in an address says by itself: where a name leads is judged when it is used. */
function isForbidden(host: string, reach: Reach): boolean {
  if (isIP(host) !== 0) return !mayReach(host, reach)
  if (reach === 'inside') return false
  return namesInside.test(host) && !(reach === 'loopback' && isNameOfLoopback(host))
}

/** Whether what is not encrypted may go there: within the house, and in a sandbox, where nothing is a secret. */
const mayBePlain = (host: string, reach: Reach): boolean =>
  reach === 'loopback' || (reach === 'inside' && (isIP(host) === 0 || !isPublicAddress(host)))

/** What is wrong with an address that messages go to; a log says it in English. */
export type AddressProblem = { zh: string; en: string }
const problems = {
  notSecure: { zh: '必须是 https 地址', en: 'must be an https address' },
  hasCredentials: { zh: '不能带用户名或密码', en: 'must not carry a user or a password' },
  notPublic: { zh: '必须是公网地址', en: 'must be a public address' },
} as const satisfies Record<string, AddressProblem>

/** The host of an address, without the brackets of IPv6 and the dot that ends a full name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, '')

/** What is wrong with an address that messages go to, as far as it says so itself; null for one that may be used. */
export function addressProblem(address: string, reach: Reach): AddressProblem | null {
  if (!URL.canParse(address)) return problems.notSecure
  const url = new URL(address)
  const host = hostOf(url)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain(host, reach)))
    return problems.notSecure
  if (url.username || url.password) return problems.hasCredentials
  return isForbidden(host, reach) ? problems.notPublic : null
}
