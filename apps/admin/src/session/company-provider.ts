import { timingSafeEqual } from 'node:crypto'
import type { IdentitySignIn } from '@meridian/contracts'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import { apiForThisOperator } from '../api-client/api-calls.ts'
import { problemOf } from '../api-client/problem.ts'
import { identityFailureOf, type SignInFailure } from './sign-in.ts'

/** The id of the provider: part of the address the identity provider sends the browser back to. */
export const COMPANY = 'company'

type Answer = { answer: IdentitySignIn } | { failure: SignInFailure }

/** What next-auth carries from the provider's answer to its callbacks: a session, a ticket, or why there is neither. */
export type Arrival = { operatorToken?: string; ticket?: string; failure?: SignInFailure }

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.length === other.length &&
  timingSafeEqual(Buffer.from(one), Buffer.from(other))

type Brought = {
  params: { code?: string; state?: string; iss?: string }
  checks: { code_verifier?: string; state?: string; nonce?: string }
}

/**
 * Hands the code to the API, which redeems and verifies it. next-auth leaves it to whoever does that to compare the state
 * (RFC 6749 §10.12), and the issuer where the answer names one (RFC 9207).
 */
async function redeem({ params, checks }: Brought, issuer: string): Promise<Answer> {
  const { code, state, iss } = params
  const { code_verifier: codeVerifier, nonce } = checks
  if (!isSame(state, checks.state) || (iss !== undefined && iss !== issuer))
    return { failure: 'identity_refused' }
  if (!code || !codeVerifier || !nonce) return { failure: 'identity_refused' }
  try {
    const api = await apiForThisOperator()
    return { answer: await api.operator.signInByIdentity.mutate({ code, codeVerifier, nonce }) }
  } catch (error) {
    return { failure: identityFailureOf(problemOf(error)) }
  }
}

function arrivalOf(got: Answer): Arrival & { id: string } {
  if ('failure' in got) return { id: 'nobody', failure: got.failure }
  const { answer } = got
  if (answer.next === 'code') return { id: 'nobody', ticket: answer.ticket }
  return { id: answer.session.operator.id, operatorToken: answer.session.token }
}

/** Next-auth’s script in the page goes only to a provider that is listed: listing it asks nobody. */
export const listedCompany: OAuthConfig<{ sub?: string }> = {
  id: COMPANY,
  name: COMPANY,
  type: 'oauth',
  profile: () => ({ id: 'nobody', failure: 'identity_refused' }),
}

/**
 * The company's identity provider as next-auth knows it: where to send the browser, with PKCE, state and nonce. The console
 * never sees the secret of the client nor a token of the provider.
 * @throws the API's problem while the provider does not answer
 */
export async function companyProvider(): Promise<OAuthConfig<{ sub?: string }>> {
  const api = await apiForThisOperator()
  const { issuer, authorizationEndpoint, clientId, scopes, acrValues } =
    await api.operator.identityAuthority.query()
  let arrived: Answer = { failure: 'identity_refused' }
  return {
    id: COMPANY,
    name: COMPANY,
    type: 'oauth',
    issuer,
    clientId,
    authorization: {
      url: authorizationEndpoint,
      params: { scope: scopes, ...(acrValues && { acr_values: acrValues }) },
    },
    checks: ['pkce', 'state', 'nonce'],
    token: {
      url: issuer,
      request: async (brought) => {
        arrived = await redeem(brought, issuer)
        return { tokens: {} }
      },
    },
    userinfo: { url: issuer, request: async () => ({ sub: COMPANY }) },
    profile: () => arrivalOf(arrived),
  }
}

declare module 'next-auth' {
  interface User extends Arrival {
    id: string
  }
}
