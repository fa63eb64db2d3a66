import { openConsole } from './console.ts'
import { type Forgery, type Person, startIdentityProvider } from './identity-provider.ts'
import { useOpened, useTestWorld } from './use-opened.ts'

export const breakGlass = 'break.glass@example.com'

/** Somebody at the company whom the provider knows by a verified e-mail, as a guest of the shop. */
export const person = (name: string, more: Partial<Person> = {}): Person => ({
  sub: `sub-${name}`,
  email: `${name}@example.com`,
  email_verified: true,
  name,
  groups: ['shop-guests'],
  ...more,
})

/** What no browser ever brought. */
export const nothing = { code: 'none', codeVerifier: 'x'.repeat(43), nonce: 'x'.repeat(43) }

/** The world of a test file whose operators sign in at a real provider, and what stands between the two. */
export function useIdentityWorld() {
  const provider = useOpened(() => startIdentityProvider('http://127.0.0.1:3999'))
  const lines: string[] = []
  /** The tokens that the provider ever gave. */
  const given: string[] = []
  const gate: { forgery: Forgery | null; isAway: boolean } = { forgery: null, isAway: false }
  const throughGate: typeof fetch = async (input, init) => {
    const url = String(input)
    if (gate.isAway && url.startsWith(provider.issuer)) throw new TypeError('fetch failed')
    const answer = await fetch(input, init)
    if (url !== `${provider.issuer}/token`) return answer
    const body = Object(await answer.json())
    if (gate.forgery && body.id_token)
      body.id_token = await provider.forge(String(body.id_token), gate.forgery)
    given.push(...[body.id_token, body.access_token].filter(Boolean))
    return Response.json(body, { status: answer.status })
  }
  const world = useTestWorld(() => ({
    log: (line) => lines.push(line),
    runtime: { fetch: throughGate },
    environment: {
      ...provider.environment,
      OIDC_NAME: 'Example AG',
      OIDC_ROLES: 'shop-owners=owner,shop-money=finance,shop-desk=operator,shop-guests=viewer',
      OIDC_PROVISION: 'groups',
      OIDC_SECOND_FACTOR: 'amr=otp,acr=mfa',
      OIDC_PASSWORDS: breakGlass,
    },
  }))
  let visitors = 0
  /** Each from an address of its own, so that no limit is in the way. */
  const newConsole = () => {
    visitors += 1
    return openConsole(world, { browser: { address: `198.51.100.${visitors}` } })
  }
  /** What the API makes of somebody whom the provider lets in; their ID token `forged` on its way. */
  const signIn = async (
    who: Person,
    { forged = null, inSession }: { forged?: Forgery | null; inSession?: string } = {},
  ) => {
    const brought = await provider.codeFor(who)
    const console = inSession ? openConsole(world, { session: inSession }) : newConsole()
    gate.forgery = forged
    try {
      // Where a code is asked for, nothing is written yet.
      const context = { changesNothing: who.amr === undefined }
      return await console.operator.signInByIdentity.mutate(brought, { context })
    } finally {
      gate.forgery = null
    }
  }
  const sessionOf = async (who: Person, forged: Forgery | null = null) => {
    const answer = await signIn(who, { forged })
    if (answer.next !== null) throw new Error('a code is asked for')
    return { session: answer.session, console: openConsole(world, { session: answer.session.token }) }
  }
  const rowOf = async (email: string) => {
    const [row] = await world.query<Record<string, unknown>>(
      'SELECT id, role, identity_subject AS subject FROM operators WHERE email = $1',
      [email],
    )
    return row
  }
  const lastFailure = async () => {
    const [row] = await world.query<{ reason: string; email: string | null }>(
      `SELECT f.reason, o.email FROM sign_in_failures f LEFT JOIN operators o ON o.id = f.operator_id
       ORDER BY f.id DESC LIMIT 1`,
    )
    return row
  }
  return { world, provider, gate, lines, given, newConsole, signIn, sessionOf, rowOf, lastFailure }
}
