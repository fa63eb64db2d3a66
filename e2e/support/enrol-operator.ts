import { createHmac } from 'node:crypto'
import { Enrolment, OperatorSession } from '@meridian/contracts'
import { codeAt } from './authenticator.ts'

type Api = { authSecret: string; apiUrl: string }
type Call = { procedure: string; input?: object; session?: string }

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** The token with which the console knocks at the API. */
function consoleToken(authSecret: string): string {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { aud: 'meridian-console', iat, exp: iat + 60, address: '127.0.0.1', user_agent: 'set-up' }
  const signed = `${encode({ alg: 'HS256' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', authSecret).update(signed).digest('base64url')}`
}

async function mutate({ authSecret, apiUrl }: Api, { procedure, input, session }: Call): Promise<unknown> {
  const response = await fetch(`${apiUrl}/trpc/operator.${procedure}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-console-token': consoleToken(authSecret),
      ...(session && { authorization: `Bearer ${session}` }),
    },
    body: JSON.stringify({ json: input ?? null }),
  })
  if (!response.ok) throw new Error(`${procedure} was refused: ${await response.text()}`)
  const { result }: { result: { data: { json: unknown } } } = await response.json()
  return result.data.json
}

/** Sets an authenticator up as the console does. Answers its secret. */
export async function enrolOperator(
  { email, password }: { email: string; password: string },
  api: Api,
): Promise<string> {
  const signedIn = await mutate(api, { procedure: 'signIn', input: { email, password } })
  const { token: session } = OperatorSession.pick({ token: true }).parse(signedIn)
  const started = await mutate(api, { procedure: 'startEnrolment', session })
  const { secret, ticket } = Enrolment.parse(started)
  const input = { ticket, code: codeAt(secret) }
  await mutate(api, { procedure: 'confirmEnrolment', input, session })
  await mutate(api, { procedure: 'signOut', session })
  return secret
}
