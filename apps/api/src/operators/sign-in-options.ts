import type { ConsoleContext, IdentityAuthority, SignInOptions } from '@meridian/contracts'
import type { Services } from '../services.ts'
import { takesPasswordOf } from './passwords.ts'
import type { SignedInOperator } from './sign-in.ts'
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
  const { issuer, clientId, scopes, secondFactors } = settings
  const acrValues = secondFactors.flatMap(({ claim, value }) => (claim === 'acr' ? [value] : [])).join(' ')
  return { issuer, authorizationEndpoint, clientId, scopes, acrValues: acrValues || null }
}

/** How somebody shows anew at the company who they are; null where their account is not bound to its identity. */
export function showCompany(
  { config: { identity } }: Services,
  { operator, bound }: SignedInOperator,
): ConsoleContext['company'] {
  if (!identity || !bound) return null
  return { name: identity.name, passwords: takesPasswordOf(identity, operator) }
}
