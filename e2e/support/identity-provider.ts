import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { claimPort } from '@meridian/process'
import { type Configuration, Provider } from 'oidc-provider'

/** Somebody at the company, and whether they used a second factor there. */
export type Colleague = { sub: string; email: string; name: string; groups: string[]; amr: string[] }

const clientId = 'meridian'
const clientSecret = 'secret-of-the-console-journey-0123456789'

const configuration = (colleagues: readonly Colleague[], redirectUri: string): Configuration => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'RSA', alg: 'RS256', use: 'sig', kid: 'one' }],
    },
    cookies: { keys: ['cookie-key-of-a-journey'] },
    claims: {
      openid: ['sub', 'acr', 'amr', 'auth_time', 'groups'],
      email: ['email', 'email_verified'],
      profile: ['name'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => {
      const { amr: _amr, ...claims } = colleagues.find((one) => one.sub === sub) ?? { sub }
      return { accountId: sub, claims: () => ({ ...claims, email_verified: true }) }
    },
    loadExistingGrant: async ({ oidc: { client, session, provider } }) => {
      if (!client || !session?.accountId) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

type Alteration = (answer: URLSearchParams) => void

/** A button for each of them, and one for who thinks better of it. */
const form = (
  colleagues: readonly Colleague[],
) => `<!doctype html><title>Example AG</title><form method="post">
${colleagues.map(({ sub, name }) => `<button name="sub" value="${sub}">${name}</button>`).join('')}
<button name="sub" value="">Cancel</button></form>`

async function read(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/** A real OpenID provider whose colleagues sign in there by pressing a button with their name. */
export async function openIdentityProvider(colleagues: readonly Colleague[]) {
  const { port, release } = await claimPort()
  const issuer = `http://127.0.0.1:${port}`
  let server: Server | null = null
  let alteration: Alteration | null = null
  /** The answer that the browser brings to the console. */
  const change = (location: string): string => {
    if (!alteration || !/\/api\/auth\/callback\//.test(location)) return location
    const url = new URL(location)
    alteration(url.searchParams)
    return url.href
  }
  const start = (consoleUrl: string): Record<string, string> => {
    const redirectUri = `${consoleUrl}/api/auth/callback/company`
    const provider = new Provider(issuer, configuration(colleagues, redirectUri))
    const answer = provider.callback()
    const finish = async (request: IncomingMessage, response: ServerResponse) => {
      const pressed = await read(request)
      const colleague = colleagues.find(({ sub }) => sub === pressed.get('sub'))
      const result = colleague
        ? { login: { accountId: colleague.sub, amr: colleague.amr } }
        : { error: 'access_denied', error_description: 'cancelled' }
      await provider.interactionFinished(request, response, result)
    }
    server = createServer((request, response) => {
      const setHeader = response.setHeader.bind(response)
      response.setHeader = (name, value) => setHeader(name, name === 'Location' ? change(`${value}`) : value)
      if (!request.url?.startsWith('/interaction/')) return answer(request, response)
      if (request.method === 'GET')
        return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(form(colleagues))
      return finish(request, response).catch(() => response.writeHead(500).end())
    })
    server.listen(port, '127.0.0.1')
    return { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }
  }
  const close = async () => {
    server?.closeAllConnections()
    server?.close()
    release()
  }
  /** From now on every answer is altered on its way, as somebody between would; null leaves it as it is. */
  const alter = (next: Alteration | null) => {
    alteration = next
  }
  return { start, close, alter }
}
