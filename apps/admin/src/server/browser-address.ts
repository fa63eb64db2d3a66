import { BlockList, isIP } from 'node:net'

export type AddressOf = (socketAddress: string | undefined, forwardedFor: string | undefined) => string

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** `::ffff:10.0.0.1` is how a dual-stack socket spells `10.0.0.1`. */
const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, '')

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

/**
 * Finds the browser's address: the socket's, or, behind trusted proxies only, the last entry of
 * `X-Forwarded-For` that is not itself a trusted proxy.
 */
export function browserAddressReader(trustedProxies: readonly string[]): AddressOf {
  const trusted = listOf(trustedProxies)
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, familyOf(address))
  return (socketAddress, forwardedFor) => {
    const chain = (forwardedFor ?? '').split(',').map(plain).filter(Boolean)
    let address = plain(socketAddress ?? '')
    while (isTrusted(address)) {
      const before = chain.pop()
      if (before === undefined || isIP(before) === 0) break
      address = before
    }
    return address
  }
}
