import { randomUUID } from 'node:crypto'
import { Report } from '@meridian/contracts'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { openFamily } from '../../src/users/log-in.ts'
import { plantKey, scopeBeside } from '../world/api-key.ts'
import { consoleToken, signedInConsole } from '../world/console.ts'
import { type Answer, call, codeOf, type Phone } from '../world/phone.ts'
import { userIdOf } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { bind, newSerial } from '../world/wearable.ts'
import { ask } from './answers/any-answers.ts'
import { plantUser } from './answers/stage.ts'
import { readCommitted } from './committed-documents.ts'
import { OpenApiDocument, type Operation, operationsOf } from './read-document.ts'
import { pathOf, validRequest } from './valid-request.ts'

const operations = operationsOf(OpenApiDocument.parse(readCommitted('current')))
const guarded = operations.filter(({ signedIn }) => signedIn)
const open = operations.filter(({ opensBy }) => opensBy === 'nothing')
const ofSystems = operations.filter(({ opensBy }) => opensBy === 'api_key')

/** Whatever stands in an Authorization header and does not name a user who may act. */
const credentials = [
  ['no token', 'unauthenticated'],
  ['an expired token', 'token_expired'],
  ['a token signed by another algorithm', 'unauthenticated'],
  ['a token of the algorithm none', 'unauthenticated'],
  ['a token signed by another key', 'unauthenticated'],
  ['a token for another audience', 'unauthenticated'],
  ['a token without a user', 'unauthenticated'],
  ['the token of a user nobody knows', 'unauthenticated'],
  ['the token of a disabled user', 'user_disabled'],
  ['the session of an operator', 'unauthenticated'],
  ['the token of the console', 'unauthenticated'],
  ['a refresh token', 'unauthenticated'],
] as const
type Credential = (typeof credentials)[number][0]

const world = useTestWorld()
let owner: Phone
let stranger: Phone
let headers: Readonly<Record<Credential, string | null>>
/** What the owner has, by the name of the parameter that names it. */
let owned: Readonly<Record<string, string>>

const systemKey = () => (keyOfSystem ??= plantKey(world, ['events:read']))
let keyOfSystem: Promise<string> | undefined

const idOf = (phone: Phone) => userIdOf(world, phone)

async function everyCredential(sub: string): Promise<typeof headers> {
  const inMinutes = (minutes: number) => Math.floor(Date.now() / 1000) + minutes * 60
  const claims = { sub, aud: 'meridian-miniprogram', exp: inMinutes(10) }
  const signed = async (payload: JWTPayload, { alg = 'HS256', secret = world.config.JWT_SECRET[0] } = {}) =>
    `Bearer ${await new SignJWT(payload).setProtectedHeader({ alg }).sign(Buffer.from(secret))}`
  const disabled = await plantUser(world)
  await world.query('UPDATE users SET disabled_at = now() WHERE openid = $1', [disabled.openid])
  const { token: session } = await signedInConsole(world, { email: 'owner@example.com' })
  return {
    'no token': null,
    'an expired token': await signed({ ...claims, exp: inMinutes(-1) }),
    'a token signed by another algorithm': await signed(claims, { alg: 'HS512' }),
    'a token of the algorithm none': `Bearer ${new UnsecuredJWT(claims).encode()}`,
    'a token signed by another key': await signed(claims, { secret: world.config.AUTH_SECRET[0] }),
    'a token for another audience': await signed({ ...claims, aud: 'meridian-console' }),
    'a token without a user': await signed({ aud: claims.aud, exp: claims.exp }),
    'the token of a user nobody knows': await signed({ ...claims, sub: randomUUID() }),
    'the token of a disabled user': `Bearer ${disabled.tokens.access_token}`,
    'the session of an operator': `Bearer ${session}`,
    'the token of the console': `Bearer ${await consoleToken(world)}`,
    'a refresh token': `Bearer ${owner.tokens.refresh_token}`,
  }
}

beforeAll(async () => {
  ;[owner, stranger] = [await world.phone(), await world.phone()]
  const serialNumber = newSerial()
  await bind(owner, serialNumber)
  const times = { started_at: '2026-11-20T08:00:00Z', ended_at: '2026-11-20T08:00:00Z' }
  const report = await owner.call('/reports', {
    method: 'POST',
    body: { client_report_id: randomUUID(), kind: 'scan', ...times, summary: {}, measurements: [] },
  })
  owned = {
    out_trade_no: (await owner.buys()).order.out_trade_no,
    id: Report.parse(report.body).id,
    serial_number: serialNumber,
    user: await idOf(owner),
    openid: owner.openid,
  }
  headers = await everyCredential(await idOf(owner))
})

const present = (operation: Operation, credential: Credential): Promise<Answer> => {
  const authorization = headers[credential]
  const { method, path, body } = validRequest(operation)
  return call(`${world.url}${path}`, {
    method,
    headers: authorization === null ? {} : { authorization },
    ...(body !== undefined && { body }),
  })
}

describe.each(credentials)('%s', (credential, code) => {
  test.each(guarded)('does not open $name', async (operation) => {
    const answer = await present(operation, credential)
    expect([answer.status, codeOf(answer)]).toEqual([code === 'user_disabled' ? 403 : 401, code])
  })

  test.each(ofSystems)('does not open $name, which is for systems', async (operation) => {
    const answer = await present(operation, credential)
    expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthenticated'])
  })

  test.each(open)('makes no difference to $name', async (operation) => {
    const [with_, without] = [await present(operation, credential), await present(operation, 'no token')]
    expect(with_.status).toBe(without.status)
  })
})

describe('the key of a system', () => {
  test.each(guarded)('does not open $name, which is for users', async (operation) => {
    const { method, path, body } = validRequest(operation)
    const answer = await call(`${world.url}${path}`, { method, body, token: await systemKey() })
    expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthenticated'])
  })

  test.each(ofSystems)('without the scope does not open $name', async (operation) => {
    const { method, path, body } = validRequest(operation)
    const token = await plantKey(world, [scopeBeside(operation)])
    const answer = await call(`${world.url}${path}`, { method, body, token })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden'])
  })
})

test("a user's token opens nothing that is for systems", async () => {
  for (const { method, path } of ofSystems.map(validRequest))
    expect(codeOf(await owner.callAt(world.url, path, { method }))).toBe('unauthenticated')
})

const withoutRequestId = ({ status, body }: Answer) => ({ status, body: { ...Object(body), request_id: '' } })

describe("another user's token", () => {
  const named = guarded.filter(({ path }) => path.includes('{'))
  const own = guarded.filter(({ path }) => !path.includes('{'))

  test.each(named)(
    'finds through $name exactly as much of what is not theirs as of what does not exist',
    async (operation) => {
      const at = (path: string) => stranger.call(path.replace('/api/v1', ''), { method: operation.method })
      const [theirs, nobodys] = [await at(pathOf(operation, owned)), await at(pathOf(operation))]
      expect(theirs.status).toBe(404)
      expect(withoutRequestId(theirs)).toEqual(withoutRequestId(nobodys))
      expect(
        await owner.call(pathOf(operation, owned).replace('/api/v1', ''), { method: 'GET' }),
      ).not.toMatchObject({ status: 404 })
    },
  )

  test.each(own)('learns nothing of the owner through $name', async (operation) => {
    const { status, body } = await ask(operation, { phone: stranger, key: '' })
    expect(status).toBeLessThan(500)
    for (const secret of Object.values(owned)) expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('takes nothing from the owner', async () => {
    expect(await owner.order(owned['out_trade_no'] ?? '')).toMatchObject({ status: 'prepay' })
    expect((await owner.call(`/reports/${owned['id']}`)).status).toBe(200)
    expect(JSON.stringify((await owner.call('/devices')).body)).toContain(owned['serial_number'])
  })
})

test('a token goes on to open what it opens for its own user', async () => {
  const { access_token: token } = await openFamily(world.services, owned['user'] ?? '')
  expect((await call(`${world.url}/api/v1/me`, { token })).body).toMatchObject({ id: owned['user'] })
})
