import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { claimPort } from '@meridian/process'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { type Configuration, Provider } from 'oidc-provider'

/** Somebody at the company, and how they showed it. */
export type Person = {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
  amr?: string[]
  acr?: string
}

const clientId = 'meridian'
const clientSecret = 'secret-of-the-client-in-tests-0123456789'

async function newKey(): Promise<JWK & { kid: string }> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, alg: 'RS256', use: 'sig', kid: await calculateJwkThumbprint(jwk) }
}

type Users = { current: Person; known: Map<string, Person> }

/** `inIdToken`: e-mail and groups stand in the ID token; else in the userinfo alone, as the standard has it. */
const configuration = (
  { known }: Users,
  { key, redirectUri, inIdToken }: { key: JWK; redirectUri: string; inIdToken: boolean },
): Configuration => ({
  clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
  jwks: { keys: [key] },
  cookies: { keys: ['cookie-key-of-a-test'] },
  scopes: ['openid', 'email', 'profile'],
  claims: {
    openid: ['sub', 'acr', 'amr', 'auth_time', 'groups'],
    email: ['email', 'email_verified'],
    profile: ['name'],
  },
  acrValues: ['mfa'],
  conformIdTokenClaims: !inIdToken,
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, sub) => ({
    accountId: sub,
    claims: () => {
      const { amr: _amr, acr: _acr, ...claims } = known.get(sub) ?? { sub }
      return claims
    },
  }),
  loadExistingGrant: async ({ oidc }) => {
    const { client, session, provider } = oidc
    if (!client || !session?.accountId) return undefined
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
    grant.addOIDCScope('openid email profile')
    await grant.save()
    return grant
  },
})

/** A browser that keeps cookies and follows redirects, as far as `until`. */
async function follow(start: string, until: string): Promise<URL> {
  const jar = new Map<string, string>()
  let url = start
  for (let step = 0; step < 12; step++) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    await answer.arrayBuffer()
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split(/=(.*)/s) ?? []
      jar.set(name, value)
    }
    const location = answer.headers.get('location')
    if (!location) throw new Error(`the provider answered ${answer.status} at ${url}`)
    url = new URL(location, url).href
    if (url.startsWith(until)) return new URL(url)
  }
  throw new Error('the provider leads nowhere')
}

export type Forgery = {
  claims?: Record<string, unknown>
  algorithm?: 'none' | 'HS256'
  key?: 'unknown' | 'given up'
}

/** A real OpenID provider over HTTP, with people who sign in without a form. */
export async function startIdentityProvider(consoleUrl: string) {
  const { port, release } = await claimPort()
  const issuer = `http://127.0.0.1:${port}`
  const redirectUri = `${consoleUrl}/api/auth/callback/company`
  const users: Users = { current: { sub: 'nobody' }, known: new Map() }
  let key = await newKey()
  let former = key
  let inIdToken = true
  const open = () => {
    const provider = new Provider(issuer, configuration(users, { key, redirectUri, inIdToken }))
    return { provider, answer: provider.callback() }
  }
  let opened = open()
  const signIn = async (request: IncomingMessage, response: ServerResponse) => {
    const { sub, amr, acr } = users.current
    const login = { accountId: sub, ...(amr && { amr }), ...(acr && { acr }) }
    await opened.provider.interactionFinished(request, response, { login })
  }
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return opened.answer(request, response)
    return signIn(request, response).catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))

  /** A code for this person, as the browser brings it to the console, and what the console had kept for it. */
  const codeFor = async (person: Person, more: Record<string, string> = {}) => {
    users.current = person
    users.known.set(person.sub, person)
    const codeVerifier = randomBytes(32).toString('base64url')
    const nonce = randomBytes(32).toString('base64url')
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(codeVerifier))
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: redirectUri,
      nonce,
      state: 'state-of-a-test',
      code_challenge: Buffer.from(digest).toString('base64url'),
      code_challenge_method: 'S256',
      ...more,
    })
    const back = await follow(`${issuer}/auth?${query}`, redirectUri)
    const code = back.searchParams.get('code')
    if (!code) throw new Error(`no code: ${back.search}`)
    return { code, codeVerifier, nonce }
  }

  /** The ID token of the provider, altered and signed anew by its own key, or as the forgery says. */
  const forge = async (idToken: string, { claims, algorithm, key: whose }: Forgery): Promise<string> => {
    const [, body = ''] = idToken.split('.')
    const given: Record<string, unknown> = JSON.parse(Buffer.from(body, 'base64url').toString())
    const said = Object.fromEntries(
      Object.entries({ ...given, ...claims }).filter(([, value]) => value !== undefined),
    )
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    if (algorithm === 'none') return `${encode({ alg: 'none' })}.${encode(said)}.`
    if (algorithm === 'HS256')
      return new SignJWT(said).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret))
    const unknown = async () => ({ ...(await newKey()), kid: key.kid })
    const signing = whose === 'given up' ? former : whose === 'unknown' ? await unknown() : key
    const header = { alg: 'RS256', kid: signing.kid }
    return new SignJWT(said).setProtectedHeader(header).sign(await importJWK(signing, 'RS256'))
  }

  return {
    issuer,
    codeFor,
    forge,
    environment: {
      CONSOLE_URL: consoleUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
    },
    /** From now on another key signs, and the old one is not published any more. */
    rotateKey: async () => {
      former = key
      key = await newKey()
      opened = open()
    },
    /** E-mail and groups stand in the userinfo alone from now on. */
    keepClaimsBack: () => {
      inIdToken = false
      opened = open()
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      release()
    },
  }
}
