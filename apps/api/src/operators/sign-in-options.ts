import type { IdentityAuthority, SignInOptions } from '@meridian/contracts'
import type { Services } from '../services.ts'
import { requireIdentity } from './sign-in-by-identity.ts'

/** How somebody may sign in; asks nobody outside. */
export const showSignInOptions = ({ config: { identity } }: Services): SignInOptions => ({
  identity: identity && { name: identity.name },
  passwords: identity?.breakGlass ? 'break_glass' : 'on',
})

/**
 * Where the console sends a browser to sign in at the company.
 * @throws DomainError not_found; service_unavailable while the provider does not answer
 */
export async function showAuthority(services: Services): Promise<IdentityAuthority> {
  const { settings, provider } = requireIdentity(services)
  const { authorization_endpoint: authorizationEndpoint } = await provider.discover()
  const { issuer, clientId, scopes } = settings
  return { issuer, authorizationEndpoint, clientId, scopes }
}
