import { SignJWT } from 'jose'
import { plantKey, scopeBeside } from '../../world/api-key.ts'
import type { Answer } from '../../world/phone.ts'
import { codeOf } from '../../world/phone.ts'
import { userIdOf } from '../../world/somebody.ts'
import { type Operation, schemaIn } from '../read-document.ts'
import { validRequest } from '../valid-request.ts'
import { plantUser, type Scene, type Stage } from './stage.ts'

type Changes = { body?: unknown; headers?: Record<string, string>; token?: string | null; query?: string }

/** The operation as its document describes it, with something changed. */
export function ask(
  operation: Operation,
  { phone, key }: Pick<Stage, 'phone' | 'key'>,
  changes: Changes = {},
): Promise<Answer> {
  const { method, path, headers, body } = validRequest(operation)
  const { query = '', ...request } = changes
  const given = 'body' in changes ? changes.body : body
  return phone.call(`${path.replace('/api/v1', '')}${query}`, {
    method,
    ...{ user: {}, nothing: { token: null }, platform: { token: null }, api_key: { token: key } }[
      operation.opensBy
    ],
    ...request,
    headers: { ...headers, ...changes.headers },
    ...(given !== undefined && { body: given }),
  })
}

async function expiredToken({ world, phone }: Stage): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(await userIdOf(world, phone))
    .setAudience('meridian-miniprogram')
    .setExpirationTime(Math.floor(Date.now() / 1000) - 60)
    .sign(Buffer.from(world.config.JWT_SECRET[0]))
}

let addresses = 0
/** Asks twice from one address and as one person where one call a minute is allowed. */
async function askTwice(operation: Operation, { bare }: Stage): Promise<Answer> {
  addresses += 1
  const headers = { 'x-forwarded-for': `198.51.100.${addresses}` }
  const caller = { phone: await plantUser(bare), key: await plantKey(bare) }
  await ask(operation, caller, { headers })
  return ask(operation, caller, { headers })
}

/** The first cursor, limit, filter … that the operation refuses. */
async function askBadly(operation: Operation, stage: Stage): Promise<Answer> {
  if (schemaIn(operation.requestBody?.content)) return ask(operation, stage, { body: [] })
  const [parameter] = operation.parameters.filter((one) => one.in === 'query')
  const begins = validRequest(operation).path.includes('?') ? '&' : '?'
  return ask(operation, stage, { query: `${begins}${parameter?.name ?? 'x'}=` })
}

/** How each operation is brought to answer what any operation may answer. */
export const anyAnswers: Readonly<Record<string, (operation: Operation) => Scene>> = {
  unauthenticated: (operation) => (stage) => ask(operation, stage, { token: null }),
  token_expired: (operation) => async (stage) => ask(operation, stage, { token: await expiredToken(stage) }),
  user_disabled: (operation) => async (stage) => {
    await stage.world.query('UPDATE users SET disabled_at = now() WHERE openid = $1', [stage.phone.openid])
    return ask(operation, stage)
  },
  forbidden: (operation) => async (stage) =>
    ask(operation, { ...stage, key: await plantKey(stage.world, [scopeBeside(operation)]) }),
  malformed_json: (operation) => (stage) => ask(operation, stage, { body: '{"a":' }),
  payload_too_large: (operation) => (stage) => ask(operation, stage, { body: `"${'x'.repeat(300 * 1024)}"` }),
  unsupported_media_type: (operation) => (stage) =>
    ask(operation, stage, { body: 'a=1', headers: { 'content-type': 'text/plain' } }),
  invalid_request: (operation) => (stage) => askBadly(operation, stage),
  rate_limited: (operation) => (stage) => askTwice(operation, stage),
  '200': (operation) => (stage) => ask(operation, stage),
  '204': (operation) => (stage) => ask(operation, stage),
  '304': (operation) => async (stage) => {
    const { headers } = await ask(operation, stage)
    return ask(operation, stage, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  },
}

/** What an answer is called in the document: its code, or its status. */
export const nameOf = (answer: Answer): string =>
  answer.status < 400 ? String(answer.status) : codeOf(answer)
