import { createHmac } from 'node:crypto'
import { z } from 'zod'

/** Where the API is, and the secret that the console shares with it. */
export type ConsoleApi = { authSecret: string; apiUrl: string }

/** A procedure of the console's interface; it `reads` where it changes nothing. */
export type ConsoleCall = { procedure: string; input?: object; session?: string; reads?: true }

const Answer = z.object({ result: z.object({ data: z.object({ json: z.unknown() }) }) })

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** The token with which the console knocks at the API. */
function consoleToken(authSecret: string): string {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { aud: 'meridian-console', iat, exp: iat + 60, address: '127.0.0.1', user_agent: 'set-up' }
  const signed = `${encode({ alg: 'HS256' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', authSecret).update(signed).digest('base64url')}`
}

/** How the API refused what the console asked for. */
export class ConsoleRefusal extends Error {}

/** Calls the API as the console does. Throws ConsoleRefusal with what it said. */
export async function callConsole(
  { authSecret, apiUrl }: ConsoleApi,
  { procedure, input, session, reads }: ConsoleCall,
): Promise<unknown> {
  const body = JSON.stringify({ json: input ?? null })
  const url = `${apiUrl}/trpc/${procedure}`
  const response = await fetch(reads ? `${url}?input=${encodeURIComponent(body)}` : url, {
    method: reads ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'x-console-token': consoleToken(authSecret),
      ...(session && { authorization: `Bearer ${session}` }),
    },
    ...(!reads && { body }),
    signal: AbortSignal.timeout(30_000),
  })
  if (!response.ok) throw new ConsoleRefusal(`${procedure} was refused: ${await response.text()}`)
  return Answer.parse(await response.json()).result.data.json
}
