import { createHash, randomUUID } from 'node:crypto'
import { TokenPair } from '@meridian/contracts'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { signedInConsole } from '../world/console.ts'
import { expectRefused } from '../world/expect-refused.ts'
import { type Answer, call, codeOf, type Phone } from '../world/phone.ts'
import { secondInstance } from '../world/second-instance.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

const post = (path: string, body: unknown) => call(`${world.url}/api/v1${path}`, { method: 'POST', body })
const refresh = (refreshToken: string) => post('/auth/refresh', { refresh_token: refreshToken })
const pairOf = (answer: Answer) => {
  expect(answer.status).toBe(200)
  return TokenPair.parse(answer.body)
}
const hashOf = (token: string) => createHash('sha256').update(token).digest()

type Family = { id: string; revoked: boolean }
async function familyOf(refreshToken: string): Promise<Family | undefined> {
  const [family] = await world.query<Family>(
    `SELECT f.id, f.revoked_at IS NOT NULL AS revoked FROM token_families f JOIN refresh_tokens t ON t.family_id = f.id
     WHERE t.token_hash = $1`,
    [hashOf(refreshToken)],
  )
  return family
}

test('a login answers a pair of tokens whose access token opens the account', async () => {
  const answer = await post('/auth/login', { code: world.platform.loginCode('oFirstLogin') })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    refresh_token: expect.stringMatching(/^[\w-]{43}$/),
    token_type: 'Bearer',
    expires_in: 7200,
  })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const { access_token } = pairOf(answer)
  const me = await call(`${world.url}/api/v1/me`, { token: access_token })
  expect(me.body).toEqual({
    id: expect.any(String),
    nickname: null,
    avatar_url: null,
    created_at: expect.any(String),
  })
  expect(me.headers.get('cache-control')).toBe('no-store')
})

test('the same person is the same user at every login, and another person is not', async () => {
  const [once, again, other] = [
    await world.phone('oSame'),
    await world.phone('oSame'),
    await world.phone('oOther'),
  ]
  const me = async (phone: Phone) => (await phone.call('/me')).body
  expect(await me(again)).toEqual(await me(once))
  expect(await me(other)).not.toEqual(await me(once))
})

test('a code that the platform does not know is refused', async () => {
  expectRefused(await post('/auth/login', { code: '0a-no-such-code' }), 401, 'invalid_login_code')
})

test('a code works once', async () => {
  const code = world.platform.loginCode('oOnce')
  pairOf(await post('/auth/login', { code }))
  expectRefused(await post('/auth/login', { code }), 401, 'invalid_login_code')
})

test.each([
  ['no code', {}],
  ['an empty code', { code: '' }],
  ['a code that is a number', { code: 12 }],
  ['a code of 300 characters', { code: 'x'.repeat(300) }],
  ['no object', []],
])('a login with %s is an invalid request that names the field', async (_what, body) => {
  const answer = await post('/auth/login', body)
  expectRefused(answer, 400, 'invalid_request')
  expect(answer.body).toMatchObject({ errors: [{ path: expect.any(String), message: expect.any(String) }] })
})

test('while the login platform fails, the answer is 503 and says when to come back', async () => {
  world.platform.faults.add({ kind: 'html', at: 'mini_program', times: 1 })
  const answer = await post('/auth/login', { code: world.platform.loginCode('oUnlucky') })
  expectRefused(answer, 503, 'service_unavailable')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('no header, query or field lets a caller name a user', async () => {
  const victim = await world.phone('oVictim')
  for (const headers of [{ 'x-openid': 'oVictim' }, { 'x-user-id': 'oVictim' }, { 'x-wx-openid': 'oVictim' }])
    expectRefused(await call(`${victim.api}/me?openid=oVictim`, { headers }), 401, 'unauthenticated')
  expectRefused(await post('/auth/login', { openid: 'oVictim' }), 400, 'invalid_request')
})

test('a refresh token is traded for a new pair, once', async () => {
  const { tokens } = await world.phone()
  const renewed = pairOf(await refresh(tokens.refresh_token))
  expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
  expect(renewed.access_token).not.toBe(tokens.access_token)
  expect((await call(`${world.url}/api/v1/me`, { token: renewed.access_token })).status).toBe(200)
  expect(await familyOf(renewed.refresh_token)).toEqual(await familyOf(tokens.refresh_token))
})

test('while its successor is unused, the same token gives another pair of the same family within ten seconds', async () => {
  const { tokens } = await world.phone()
  const lost = pairOf(await refresh(tokens.refresh_token))
  const received = pairOf(await refresh(tokens.refresh_token))
  expect(received.refresh_token).not.toBe(lost.refresh_token)
  expect(await familyOf(received.refresh_token)).toEqual({
    ...(await familyOf(lost.refresh_token)),
    revoked: false,
  })
  pairOf(await refresh(received.refresh_token))
})

test('once its successor was used, the same token is refused and the whole family is revoked', async () => {
  const { tokens } = await world.phone()
  const second = pairOf(await refresh(tokens.refresh_token))
  const third = pairOf(await refresh(second.refresh_token))
  expectRefused(await refresh(tokens.refresh_token), 401, 'invalid_refresh_token')
  expect(await familyOf(third.refresh_token)).toMatchObject({ revoked: true })
  expectRefused(await refresh(third.refresh_token), 401, 'invalid_refresh_token')
})

test('of two successors of one token only the first one used goes on', async () => {
  const { tokens } = await world.phone()
  const lost = pairOf(await refresh(tokens.refresh_token))
  const received = pairOf(await refresh(tokens.refresh_token))
  const third = pairOf(await refresh(received.refresh_token))
  expectRefused(await refresh(lost.refresh_token), 401, 'invalid_refresh_token')
  expectRefused(await refresh(third.refresh_token), 401, 'invalid_refresh_token')
})

test('later than ten seconds a used token is refused and the family revoked, although the successor is unused', async () => {
  const { tokens } = await world.phone()
  const renewed = pairOf(await refresh(tokens.refresh_token))
  await world.passTime({ seconds: 11 })
  expectRefused(await refresh(tokens.refresh_token), 401, 'invalid_refresh_token')
  expectRefused(await refresh(renewed.refresh_token), 401, 'invalid_refresh_token')
})

test('the same token presented many times at once never leaves two branches that both go on', async () => {
  const { tokens } = await world.phone()
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(tokens.refresh_token)))
  const pairs = answers.map(pairOf)
  const uses = await Promise.all(pairs.map(({ refresh_token }) => refresh(refresh_token)))
  expect(uses.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a refresh token unused for 30 days is worth nothing', async () => {
  const { tokens } = await world.phone()
  await world.passTime({ days: 30 })
  expectRefused(await refresh(tokens.refresh_token), 401, 'invalid_refresh_token')
})

/** The newest pair of a family that was refreshed every 29 days, on the last of 174 days. */
async function refreshFor174Days(tokens: TokenPair): Promise<TokenPair> {
  let newest = tokens
  for (let turn = 0; turn < 6; turn++) {
    await world.passTime({ days: 29 })
    newest = pairOf(await refresh(newest.refresh_token))
  }
  return newest
}

test('a family ends after 180 days however often it was used', async () => {
  const { tokens } = await world.phone()
  const family = await familyOf(tokens.refresh_token)
  const lifetimes = await world.query(
    `SELECT round(extract(epoch FROM f.expires_at - f.created_at) / 86400)::int AS family,
       round(extract(epoch FROM t.expires_at - t.issued_at) / 86400)::int AS token
     FROM token_families f JOIN refresh_tokens t ON t.family_id = f.id WHERE f.id = $1`,
    [family?.id],
  )
  expect(lifetimes).toEqual([{ family: 180, token: 30 }])
  const newest = await refreshFor174Days(tokens)
  await world.passTime({ days: 6 })
  expectRefused(await refresh(newest.refresh_token), 401, 'invalid_refresh_token')
})

test('a successor never outlives its family', async () => {
  const { tokens } = await world.phone()
  const { refresh_token } = await refreshFor174Days(tokens)
  const [token] = await world.query(
    'SELECT t.expires_at <= f.expires_at AS within FROM refresh_tokens t JOIN token_families f ON f.id = t.family_id WHERE token_hash = $1',
    [hashOf(refresh_token)],
  )
  expect(token).toEqual({ within: true })
})

test('a logout ends the family and answers 204, also for a token nobody knows', async () => {
  const { tokens } = await world.phone()
  const renewed = pairOf(await refresh(tokens.refresh_token))
  const answer = await post('/auth/logout', { refresh_token: renewed.refresh_token })
  expect(answer).toMatchObject({ status: 204, body: '' })
  expectRefused(await refresh(renewed.refresh_token), 401, 'invalid_refresh_token')
  expect((await post('/auth/logout', { refresh_token: 'nobody-knows-this' })).status).toBe(204)
})

test('a logout on one phone leaves the other phone of the same person signed in', async () => {
  const [one, other] = [await world.phone('oTwoPhones'), await world.phone('oTwoPhones')]
  await post('/auth/logout', { refresh_token: one.tokens.refresh_token })
  pairOf(await refresh(other.tokens.refresh_token))
})

describe('an access token ends with its family', () => {
  const me = (url: string, { tokens }: Phone) => call(`${url}/api/v1/me`, { token: tokens.access_token })
  const endings: Record<string, (phone: Phone) => Promise<unknown>> = {
    'after a logout': ({ tokens }) => post('/auth/logout', { refresh_token: tokens.refresh_token }),
    'after a refresh token was used twice': async ({ tokens }) => {
      const second = pairOf(await refresh(tokens.refresh_token))
      pairOf(await refresh(second.refresh_token))
      expectRefused(await refresh(tokens.refresh_token), 401, 'invalid_refresh_token')
    },
    'after an operator ended the sessions': async (phone) => {
      const { id } = await userOf(phone)
      const { console } = await signedInConsole(world, { email: `ends-${id}@example.com` })
      await console.user.endSessions.mutate({ id })
    },
    'after 180 days': async (phone) => {
      const { refresh_token } = await refreshFor174Days(phone.tokens)
      await world.passTime({ days: 5, hours: 23 })
      phone.tokens = pairOf(await refresh(refresh_token))
      expect((await me(world.url, phone)).status).toBe(200)
      await world.passTime({ hours: 1 })
    },
  }

  test.each(Object.entries(endings))('%s, on every replica', async (_when, end) => {
    await using other = await secondInstance(world)
    const phone = await world.phone()
    for (const url of [world.url, other.url]) expect((await me(url, phone)).status).toBe(200)
    await end(phone)
    for (const url of [world.url, other.url]) expectRefused(await me(url, phone), 401, 'unauthenticated')
  })

  test('and with no other: the same person on another phone stays signed in', async () => {
    const [one, other] = [await world.phone('oStays'), await world.phone('oStays')]
    await post('/auth/logout', { refresh_token: one.tokens.refresh_token })
    expectRefused(await me(world.url, one), 401, 'unauthenticated')
    expect((await me(world.url, other)).status).toBe(200)
  })

  test('while the database is down, what was known of it within five seconds counts, then nothing does', async () => {
    await using down = await openTestWorld()
    const [known, loggedOut, unknown] = [await down.phone(), await down.phone(), await down.phone()]
    const openMe = (phone: Phone) => call(`${down.url}/api/v1/me`, { token: phone.tokens.access_token })
    for (const phone of [known, loggedOut]) expect((await openMe(phone)).status).toBe(200)
    const body = { refresh_token: loggedOut.tokens.refresh_token }
    await call(`${down.url}/api/v1/auth/logout`, { method: 'POST', body })
    expectRefused(await openMe(loggedOut), 401, 'unauthenticated')
    expect((await openMe(known)).status).toBe(200)
    const name = new URL(down.databaseUrl).pathname.slice(1)
    await world.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`)
    await world.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
    expect((await openMe(known)).status).toBe(200)
    for (const phone of [loggedOut, unknown]) expectRefused(await openMe(phone), 503, 'service_unavailable')
    await expect.poll(async () => (await openMe(known)).status, { timeout: 8000 }).toBe(503)
  })
})

test('only hashes of refresh tokens are in the database', async () => {
  const { tokens } = await world.phone()
  const rows = await world.query<{ row: string }>(
    'SELECT t::text AS row FROM refresh_tokens t UNION ALL SELECT f::text FROM token_families f UNION ALL SELECT u::text FROM users u',
  )
  const everything = rows.map(({ row }) => row).join('\n')
  expect(everything).toContain(hashOf(tokens.refresh_token).toString('hex'))
  for (const secret of [tokens.refresh_token, tokens.access_token]) {
    expect(everything).not.toContain(secret)
    expect(everything).not.toContain(Buffer.from(secret).toString('hex'))
  }
})

const OpenApi = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ security: z.array(z.record(z.string(), z.unknown())).optional() })),
  ),
})

async function userOf(phone: Phone): Promise<{ id: string }> {
  return z.object({ id: z.string() }).parse((await phone.call('/me')).body)
}

const audience = 'meridian-miniprogram'
const soon = () => Math.floor(world.services.runtime.now().getTime() / 1000) + 600

const signed = (claims: JWTPayload, { secret = world.config.JWT_SECRET[0], alg = 'HS256' } = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(Buffer.from(secret))

/** Authorizations that name this user and must not open anything. */
async function uselessTokens(
  sub: string,
  sid: string,
): Promise<[what: string, authorization: string | null, code: string][]> {
  const claims = { sub, sid, aud: audience, exp: soon() }
  const good = await signed(claims)
  const none = new UnsecuredJWT({ sid })
    .setSubject(sub)
    .setAudience(audience)
    .setExpirationTime(soon())
    .encode()
  const strangers = await familyOf((await world.phone()).tokens.refresh_token)
  const refreshLike = 'A'.repeat(43)
  return [
    ['no header', null, 'unauthenticated'],
    ['an empty header', '', 'unauthenticated'],
    ['no scheme', good, 'unauthenticated'],
    ['another scheme', `Basic ${good}`, 'unauthenticated'],
    ['the token twice', `Bearer ${good}, Bearer ${good}`, 'unauthenticated'],
    ['algorithm none', `Bearer ${none}`, 'unauthenticated'],
    ['algorithm HS512', `Bearer ${await signed(claims, { alg: 'HS512' })}`, 'unauthenticated'],
    ['another key', `Bearer ${await signed(claims, { secret: 'x'.repeat(40) })}`, 'unauthenticated'],
    [
      'the console key',
      `Bearer ${await signed(claims, { secret: world.config.AUTH_SECRET[0] })}`,
      'unauthenticated',
    ],
    ['another audience', `Bearer ${await signed({ ...claims, aud: 'meridian-console' })}`, 'unauthenticated'],
    ['no audience', `Bearer ${await signed({ sub, sid, exp: soon() })}`, 'unauthenticated'],
    ['no subject', `Bearer ${await signed({ sid, aud: audience, exp: soon() })}`, 'unauthenticated'],
    ['no expiry', `Bearer ${await signed({ sub, sid, aud: audience })}`, 'unauthenticated'],
    ['a subject that is no user id', `Bearer ${await signed({ ...claims, sub: 'me' })}`, 'unauthenticated'],
    ['a user nobody knows', `Bearer ${await signed({ ...claims, sub: randomUUID() })}`, 'unauthenticated'],
    [
      'one changed character',
      `Bearer ${good.slice(0, -2)}${good.at(-2) === 'A' ? 'B' : 'A'}${good.at(-1)}`,
      'unauthenticated',
    ],
    ['no family', `Bearer ${await signed({ sub, aud: audience, exp: soon() })}`, 'unauthenticated'],
    ['a family nobody knows', `Bearer ${await signed({ ...claims, sid: randomUUID() })}`, 'unauthenticated'],
    [
      'a family of somebody else',
      `Bearer ${await signed({ ...claims, sid: strangers?.id ?? '' })}`,
      'unauthenticated',
    ],
    ['a refresh token', `Bearer ${refreshLike}`, 'unauthenticated'],
    ['an expired token', `Bearer ${await signed({ ...claims, exp: soon() - 1200 })}`, 'token_expired'],
  ]
}

const someOrder = 'M01ARZ3NDEKTSV4RRFFQ69G5FAV'
const someReport = '01890a5d-ac96-774b-bcce-b302099a8057'
const signedInOperations = [
  ['GET', '/me'],
  ['PUT', '/me'],
  ['DELETE', '/me'],
  ['GET', '/me/export'],
  ['GET', '/me/message-permissions'],
  ['POST', '/me/message-permissions'],
  ['GET', '/subscription'],
  ['POST', '/subscription/purchase'],
  ['GET', '/subscription/orders'],
  ['GET', `/subscription/orders/${someOrder}`],
  ['POST', `/subscription/orders/${someOrder}/sync`],
  ['POST', `/subscription/orders/${someOrder}/cancel`],
  ['POST', '/reports'],
  ['GET', '/reports'],
  ['GET', `/reports/${someReport}`],
  ['DELETE', `/reports/${someReport}`],
  ['GET', '/diagnosis-config'],
  ['GET', '/devices'],
  ['POST', '/devices/bind-challenge'],
  ['POST', '/devices/bind'],
  ['POST', '/devices/unbind'],
] as const

const bodyFor = (method: string) =>
  method === 'POST' || method === 'PUT' ? { body: { plan_code: 'monthly' } } : {}

test.each(signedInOperations)('%s %s is refused without a token that we signed', async (method, path) => {
  const phone = await world.phone()
  const { id } = await userOf(phone)
  const family = await familyOf(phone.tokens.refresh_token)
  const tokens = await uselessTokens(id, family?.id ?? '')
  for (const [what, authorization, code] of tokens) {
    const headers: Record<string, string> = authorization === null ? {} : { authorization }
    const answer = await call(`${phone.api}${path}`, { method, headers, ...bodyFor(method) })
    expect([what, answer.status, codeOf(answer)]).toEqual([what, 401, code])
  }
})

test.each(signedInOperations)(
  '%s %s refuses a disabled user at once, whatever the token says',
  async (method, path) => {
    const phone = await world.phone()
    await world.query('UPDATE users SET disabled_at = business_now() WHERE openid = $1', [phone.openid])
    expectRefused(await phone.call(path, { method, ...bodyFor(method) }), 403, 'user_disabled')
  },
)

test('a disabled user can neither refresh nor log in, and can again when enabled', async () => {
  const phone = await world.phone()
  await world.query('UPDATE users SET disabled_at = business_now() WHERE openid = $1', [phone.openid])
  expectRefused(await refresh(phone.tokens.refresh_token), 403, 'user_disabled')
  expectRefused(
    await post('/auth/login', { code: world.platform.loginCode(phone.openid) }),
    403,
    'user_disabled',
  )
  await world.query('UPDATE users SET disabled_at = NULL WHERE openid = $1', [phone.openid])
  pairOf(await refresh(phone.tokens.refresh_token))
})

test('the signed-in operations of this table are all there are', async () => {
  const { body } = await call(`${world.url}/api/v1/openapi.json`)
  const { paths } = OpenApi.parse(body)
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security = [] }]) => security.some((one) => 'user' in one))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  const tested = signedInOperations.map(
    ([method, path]) =>
      `${method} /api/v1${path.replace(someOrder, '{out_trade_no}').replace(someReport, '{id}')}`,
  )
  expect(documented.sort()).toEqual(tested.sort())
})
