import { plainAddress, proxyReader } from '@meridian/contracts/addresses'

export type AddressOf = (socketAddress: string | undefined, forwardedFor: string | undefined) => string

/**
 * Finds the browser's address: the socket's, or, behind trusted proxies only, the last entry of
 * `X-Forwarded-For` that is not itself a trusted proxy.
 */
export function browserAddressReader(trustedProxies: readonly string[]): AddressOf {
  const isTrusted = proxyReader(trustedProxies)
  return (socketAddress, forwardedFor) => {
    const chain = (forwardedFor ?? '').split(',').filter((entry) => entry.trim())
    let address = plainAddress(socketAddress ?? '') ?? ''
    while (isTrusted(address)) {
      const before = plainAddress(chain.pop() ?? '')
      if (before === null) break
      address = before
    }
    return address
  }
}
