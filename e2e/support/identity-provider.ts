import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { claimPort } from '@meridian/process'
import { type Configuration, Provider } from 'oidc-provider'

/** Somebody at the company, and whether they used a second factor there. */
export type Colleague = { sub: string; email: string; name: string; groups: string[]; amr: string[] }

const clientId = 'meridian'
const clientSecret = 'secret-of-the-console-journey-0123456789'

const configuration = (colleague: Colleague, redirectUri: string): Configuration => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { amr: _amr, ...claims } = colleague
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
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ ...claims, email_verified: true }),
    }),
    loadExistingGrant: async ({ oidc: { client, session, provider } }) => {
      if (!client || !session?.accountId) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

/** A real OpenID provider with one colleague, who signs in there by pressing a button. */
export async function openIdentityProvider(colleague: Colleague) {
  const { port, release } = await claimPort()
  const issuer = `http://127.0.0.1:${port}`
  let server: Server | null = null
  const start = (consoleUrl: string): Record<string, string> => {
    const redirectUri = `${consoleUrl}/api/auth/callback/company`
    const provider = new Provider(issuer, configuration(colleague, redirectUri))
    const answer = provider.callback()
    server = createServer((request, response) => {
      if (!request.url?.startsWith('/interaction/')) return answer(request, response)
      if (request.method === 'GET')
        return response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
          .end('<title>Example AG</title><form method="post"><button>Continue</button></form>')
      const login = { accountId: colleague.sub, amr: colleague.amr }
      return provider
        .interactionFinished(request, response, { login })
        .catch(() => response.writeHead(500).end())
    })
    server.listen(port, '127.0.0.1')
    return { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }
  }
  const close = async () => {
    server?.closeAllConnections()
    server?.close()
    release()
  }
  return { start, close, issuer }
}
