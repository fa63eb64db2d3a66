import type { Runtime } from '@meridian/payments'
import { createLocalJWKSet, type JWTVerifyGetKey, errors as joseErrors } from 'jose'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import { fetchBounded } from './fetch-bounded.ts'
import type { IdentitySettings } from './identity-settings.ts'

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})
export type Discovery = z.infer<typeof Discovery>

const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) })

const isLoopback = (hostname: string) => ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
const isSecure = (address: string) => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** Keeps what was read for a while; of many who ask at once one reads, and a failure is not kept. */
function keptFor<Value>(ms: number, read: () => Promise<Value>) {
  let kept: { value: Promise<Value>; at: number } | null = null
  return {
    read: (): Promise<Value> => {
      if (kept && performance.now() - kept.at < ms) return kept.value
      const reading = { value: read(), at: performance.now() }
      kept = reading
      reading.value.catch(() => {
        if (kept === reading) kept = null
      })
      return reading.value
    },
    forget: () => {
      kept = null
    },
  }
}

const DISCOVERY_MS = 60 * 60_000
const KEYS_MS = 10 * 60_000
/** How soon an unknown key makes the keys be read again: a stranger's token must not make us call as fast as they like. */
const KEYS_AGAIN_MS = 5_000

/** The provider as it describes itself (OpenID Connect Discovery 1.0), read when it is first needed. */
export type IdentityProvider = {
  /** @throws DomainError service_unavailable while the provider does not answer, or not as it must */
  discover: () => Promise<Discovery>
  /** Finds the key of a signature; a key that is not known makes the provider's keys be read again. */
  keyOf: JWTVerifyGetKey
  /** The clock of the machine, by which the provider dates what it says; the clock of the business may be moved. */
  now: () => Date
}

async function readDiscovery(runtime: Runtime, issuer: string): Promise<Discovery> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const found = Discovery.safeParse((await fetchBounded(runtime, { url })).body)
  const endpoints = found.data && [
    found.data.authorization_endpoint,
    found.data.token_endpoint,
    found.data.jwks_uri,
    ...(found.data.userinfo_endpoint ? [found.data.userinfo_endpoint] : []),
  ]
  // Discovery 1.0 §4.3: the issuer must be exactly the one that was asked.
  if (found.data?.issuer !== issuer || !endpoints?.every(isSecure))
    throw new DomainError('service_unavailable')
  return found.data
}

export function openIdentityProvider(
  { issuer }: Pick<IdentitySettings, 'issuer'>,
  runtime: Runtime,
): IdentityProvider {
  const discovery = keptFor(DISCOVERY_MS, () => readDiscovery(runtime, issuer))
  const keys = keptFor(KEYS_MS, async () => {
    const { jwks_uri: url } = await discovery.read()
    const found = Keys.safeParse((await fetchBounded(runtime, { url })).body)
    if (!found.success) throw new DomainError('service_unavailable')
    return createLocalJWKSet(found.data)
  })
  let readAgainAt = Number.NEGATIVE_INFINITY
  const keyOf: JWTVerifyGetKey = async (header, token) => {
    try {
      return await (await keys.read())(header, token)
    } catch (error) {
      const isSoon = performance.now() - readAgainAt < KEYS_AGAIN_MS
      if (!(error instanceof joseErrors.JWKSNoMatchingKey) || isSoon) throw error
      readAgainAt = performance.now()
      keys.forget()
      return (await keys.read())(header, token)
    }
  }
  return { discover: discovery.read, keyOf, now: runtime.now }
}
