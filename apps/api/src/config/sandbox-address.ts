import type { Config } from '../config.ts'

const isOfficial = (address: string): boolean => new URL(address).hostname.endsWith('.weixin.qq.com')

/**
 * Where the sandbox is that plays the payment platform, with its phone page; null outside a sandbox, and where WeChat's own
 * test environment is used.
 */
export function sandboxAddress({ platform, payments, login }: Config): string | null {
  if (platform !== 'sandbox') return null
  const ours = [payments?.baseUrl, login?.baseUrl].find(
    (address) => address !== undefined && !isOfficial(address),
  )
  return ours === undefined ? null : new URL(ours).origin
}
