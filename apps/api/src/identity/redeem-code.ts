import type { IdentityCode } from '@meridian/contracts'
import type { Runtime } from '@meridian/payments'
import { jwtVerify } from 'jose'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import { fetchBounded } from './fetch-bounded.ts'
import type { IdentitySettings } from './identity-settings.ts'
import type { Discovery, IdentityProvider } from './read-provider.ts'

/** Who the provider says somebody is: signature, issuer, audience, time and nonce are verified. */
export const VerifiedIdentity = z.object({
  issuer: z.string(),
  subject: z.string(),
  email: z.string().nullable(),
  /** Only the provider's own word for it counts. */
  emailVerified: z.boolean(),
  name: z.string().nullable(),
  groups: z.array(z.string()),
  /** Whether the provider says that a second factor was used. */
  secondFactor: z.boolean(),
  /** When they showed who they are at the provider; null where it does not say. */
  authenticatedAt: z.coerce.date().nullable(),
})
export type VerifiedIdentity = z.infer<typeof VerifiedIdentity>

/** What is wrong with an answer of the provider, for the log: never a value out of it. */
export class IdentityRefused extends Error {}

const Tokens = z.object({ id_token: z.string().max(32_768), access_token: z.string().max(32_768).optional() })

const IdToken = z.looseObject({
  sub: z.string().min(1).max(255),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
  nonce: z.string().optional(),
  auth_time: z.int().positive().optional(),
  amr: z.array(z.string()).optional(),
  acr: z.string().optional(),
})
type IdToken = z.infer<typeof IdToken>

type Claims = Readonly<Record<string, unknown>>

/** Signatures by a key of the provider; nothing symmetric and never `none`. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const TOLERANCE_SECONDS = 60

type Services = { settings: IdentitySettings; provider: IdentityProvider; runtime: Runtime }

/** RFC 6749 §2.3.1: both halves are form-encoded before they are joined. */
const formEncoded = (text: string) => new URLSearchParams({ x: text }).toString().slice(2)

function requestOf(settings: IdentitySettings, discovery: Discovery, { code, codeVerifier }: IdentityCode) {
  const { clientId, clientSecret, redirectUri } = settings
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
  })
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  const methods = discovery.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  if (methods.includes('client_secret_basic')) {
    const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`
  } else {
    form.set('client_id', clientId)
    form.set('client_secret', clientSecret)
  }
  return { method: 'POST', headers, body: form.toString() }
}

/** OpenID Connect Core 1.0 §3.1.3.7, points 2 to 11. @throws IdentityRefused, DomainError service_unavailable */
async function verifyIdToken(
  { settings, provider }: Services,
  idToken: string,
  nonce: string,
): Promise<IdToken> {
  const { issuer, clientId } = settings
  const { payload } = await jwtVerify(idToken, provider.keyOf, {
    algorithms,
    issuer,
    audience: clientId,
    clockTolerance: TOLERANCE_SECONDS,
    currentDate: provider.now(),
    maxTokenAge: '10m',
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
  }).catch((error: unknown) => {
    if (error instanceof DomainError) throw error
    throw new IdentityRefused(error instanceof Error ? error.name : 'unreadable')
  })
  const claims = IdToken.safeParse(payload)
  if (!claims.success) throw new IdentityRefused('claims')
  const { aud, azp, nonce: said, auth_time: at } = claims.data
  if (said !== nonce) throw new IdentityRefused('nonce')
  if (azp !== undefined ? azp !== clientId : Array.isArray(aud) && aud.length > 1)
    throw new IdentityRefused('azp')
  if (at !== undefined && at * 1000 > provider.now().getTime() + TOLERANCE_SECONDS * 1000)
    throw new IdentityRefused('auth_time')
  return claims.data
}

/** Core §5.3: what the ID token leaves out; its subject must be the same. */
async function readUserinfo(
  { runtime }: Services,
  { discovery, accessToken, subject }: { discovery: Discovery; accessToken?: string; subject: string },
): Promise<Claims> {
  if (!discovery.userinfo_endpoint || !accessToken) return {}
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' }
  const { status, body } = await fetchBounded(runtime, {
    url: discovery.userinfo_endpoint,
    init: { headers },
  })
  const claims = z.looseObject({ sub: z.string() }).safeParse(body)
  if (status !== 200 || !claims.success || claims.data.sub !== subject) throw new IdentityRefused('userinfo')
  return claims.data
}

const textOf = (value: unknown, most: number): string | null =>
  typeof value === 'string' && value.trim() && value.length <= most ? value.trim() : null

const groupsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((group): group is string => typeof group === 'string')

/**
 * The e-mail and whether it is verified, both out of the first source that says both: the word of one source about an
 * address holds for no address of another. Where none says both, the e-mail counts as not verified.
 */
function emailOf(sources: readonly Claims[]): Pick<VerifiedIdentity, 'email' | 'emailVerified'> {
  const saying = sources.filter(({ email }) => email !== undefined)
  const whole = saying.find(({ email_verified: verified }) => verified !== undefined)
  const email = textOf((whole ?? saying[0])?.['email'], 254)?.toLowerCase() ?? null
  return { email, emailVerified: whole?.['email_verified'] === true }
}

/** How long ago somebody showed who they are, on the clock of the business. */
function authenticatedAt({ provider, runtime }: Services, { auth_time: at }: IdToken): Date | null {
  if (at === undefined) return null
  const agoMs = Math.max(0, provider.now().getTime() - at * 1000)
  return new Date(runtime.now().getTime() - agoMs)
}

const saysFactor = ({ secondFactors }: IdentitySettings, { amr = [], acr }: IdToken): boolean =>
  secondFactors.some(({ claim, value }) => (claim === 'amr' ? amr.includes(value) : acr === value))

/**
 * Redeems a code at the provider and verifies what comes back. Only the ID token says when and how somebody signed in
 * there; e-mail, name and groups may stand in the userinfo instead.
 * @throws IdentityRefused; DomainError service_unavailable while the provider does not answer
 */
export async function redeemCode(services: Services, given: IdentityCode): Promise<VerifiedIdentity> {
  const { settings, provider, runtime } = services
  const discovery = await provider.discover()
  const init = requestOf(settings, discovery, given)
  const answer = await fetchBounded(runtime, { url: discovery.token_endpoint, init })
  const tokens = Tokens.safeParse(answer.body)
  if (answer.status !== 200 || !tokens.success) throw new IdentityRefused('code')
  const { id_token: idToken, access_token: accessToken } = tokens.data
  const token = await verifyIdToken(services, idToken, given.nonce)
  const whole = ['email', 'email_verified', settings.groupsClaim].every((claim) => token[claim] !== undefined)
  const asked = { discovery, subject: token.sub, ...(accessToken && { accessToken }) }
  const userinfo = whole ? {} : await readUserinfo(services, asked)
  const claims: Claims = { ...userinfo, ...token }
  return {
    issuer: settings.issuer,
    subject: token.sub,
    ...emailOf([token, userinfo]),
    name: textOf(claims['name'], 64),
    groups: groupsOf(claims[settings.groupsClaim]),
    secondFactor: saysFactor(settings, token),
    authenticatedAt: authenticatedAt(services, token),
  }
}
