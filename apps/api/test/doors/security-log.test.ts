import { expect, test } from 'vitest'
import { hire, openConsole, passwordOf, problemOf, signedInConsole } from '../world/console.ts'
import { call } from '../world/phone.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({
  log: (line) => lines.push(line),
  environment: { TRUST_PROXY: '127.0.0.0/8', RATE_LIMITS: 'anonymous=3' },
})
const lines: string[] = []

/** What the log says of an address, without what differs each time. */
const toldOf = (address: string): Record<string, unknown>[] =>
  lines.map((line): Record<string, unknown> => JSON.parse(line)).filter((line) => line['address'] === address)

async function expectTold(address: string, line: Record<string, unknown>) {
  await expect.poll(() => toldOf(address)).toContainEqual(expect.objectContaining(line))
}

const from = (address: string) => ({ 'x-forwarded-for': address })
const idOf = async (table: string, [column, value]: [string, string]) => {
  const [row] = await world.query<{ id: string }>(`SELECT id FROM ${table} WHERE ${column} = $1`, [value])
  return row?.id ?? ''
}

async function logIn(openid: string) {
  const body = { code: world.platform.loginCode(openid) }
  const answer = await call(`${world.url}/api/v1/auth/login`, { method: 'POST', body })
  const { access_token: token, refresh_token: refreshToken } = Object(answer.body)
  return { token: String(token), refreshToken: String(refreshToken) }
}

test('who is not let in, and who asks too often, is told with address, route and code', async () => {
  const address = '198.51.100.1'
  const ask = () => call(`${world.url}/api/v1/me`, { token: 'none of ours', headers: from(address) })
  for (const status of [401, 401, 401, 429]) expect((await ask()).status).toBe(status)
  const line = { level: 40, event: 'request_refused', method: 'GET', route: '/api/v1/me', address }
  await expectTold(address, { ...line, status: 401, code: 'unauthenticated', reqId: expect.any(String) })
  await expectTold(address, { ...line, status: 429, code: 'rate_limited' })
})

test('a user who is disabled is told as refused, and whose request it was is told of each that is let in', async () => {
  const { token } = await logIn('oLogged')
  const address = '198.51.100.2'
  const ask = () => call(`${world.url}/api/v1/me`, { token, headers: from(address) })
  expect((await ask()).status).toBe(200)
  await expectTold(address, { level: 30, status: 200, user: await idOf('users', ['openid', 'oLogged']) })
  await world.query(`UPDATE users SET disabled_at = now() WHERE openid = 'oLogged'`)
  await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(403)
  await expectTold(address, { event: 'request_refused', status: 403, code: 'user_disabled' })
})

test('a refresh token that is used twice is told once, with whose it is, and a log-out too', async () => {
  const address = '198.51.100.3'
  const { refreshToken } = await logIn('oReused')
  const send = (path: string, token: string) =>
    call(`${world.url}/api/v1/auth/${path}`, {
      method: 'POST',
      body: { refresh_token: token },
      headers: from(address),
    })
  const { refresh_token: second } = Object((await send('refresh', refreshToken)).body)
  expect((await send('refresh', String(second))).status).toBe(200)
  for (const _ of [1, 2]) expect((await send('refresh', refreshToken)).status).toBe(401)
  const user = await idOf('users', ['openid', 'oReused'])
  await expectTold(address, { level: 40, event: 'refresh_token_reused', user })
  expect(toldOf(address).filter(({ event }) => event === 'refresh_token_reused')).toHaveLength(1)
  const { refreshToken: another } = await logIn('oReused')
  expect((await send('logout', another)).status).toBe(204)
  await expectTold(address, { level: 30, event: 'sessions_ended', user, reason: 'logout' })
})

test('the console tells sign-ins good and bad, refusals and ended sessions with operator and procedure', async () => {
  const email = 'viewer@example.com'
  const address = '203.0.113.7'
  await hire(world, { email, role: 'viewer' })
  const operator = await idOf('operators', ['email', email])
  const stranger = openConsole(world, { browser: { address } })
  await problemOf(stranger.operator.signIn.mutate({ email, password: 'a wrong one' }))
  await problemOf(stranger.operator.signIn.mutate({ email: 'nobody@example.com', password: 'a wrong one' }))
  const { token } = await stranger.operator.signIn.mutate({ email, password: passwordOf(email) })
  const viewer = openConsole(world, { session: token, browser: { address } })
  await viewer.order.list.query({})
  expect(await problemOf(viewer.staff.list.query({}))).toBe('forbidden')
  await viewer.operator.signOut.mutate()
  expect(
    toldOf(address).filter(
      ({ procedure, event }) => procedure === 'operator.signIn' && event === 'sessions_ended',
    ),
  ).toEqual([])
  const second = await stranger.operator.signIn.mutate({ email, password: passwordOf(email) })
  const again = openConsole(world, { session: second.token, browser: { address } })
  await again.operator.signIn.mutate({ email, password: passwordOf(email) })
  expect(await problemOf(viewer.order.list.query({}))).toBe('unauthenticated')
  const reqId = expect.any(String)
  await expectTold(address, { level: 40, event: 'sign_in_failed', operator, reason: 'wrong_password', reqId })
  await expectTold(address, { level: 40, event: 'sign_in_failed', operator: null, reason: 'unknown_account' })
  await expectTold(address, { level: 30, event: 'sign_in', operator, reqId })
  await expectTold(address, { level: 30, msg: 'request', operator, procedure: 'order.list', status: 200 })
  await expectTold(address, {
    level: 40,
    event: 'request_refused',
    procedure: 'staff.list',
    operator,
    status: 403,
    code: 'forbidden',
  })
  await expectTold(address, { level: 30, event: 'sessions_ended', procedure: 'operator.signOut', operator })
  await expectTold(address, { level: 30, event: 'sessions_ended', procedure: 'operator.signIn', operator })
  await expectTold(address, {
    event: 'request_refused',
    procedure: 'order.list',
    operator: null,
    status: 401,
  })
})

test('an owner who ends somebody’s sessions is told', async () => {
  const { console } = await signedInConsole(world, { email: 'boss@example.com' })
  await hire(world, { email: 'reset@example.com' })
  await console.staff.resetPassword.mutate({
    operatorId: await idOf('operators', ['email', 'reset@example.com']),
  })
  await expect
    .poll(() => lines.join(''))
    .toMatch(/"event":"sessions_ended"[^\n]*"procedure":"staff\.resetPassword"/)
})

test('nothing of it holds an openid, an e-mail, a password or a token', async () => {
  const { token, refreshToken } = await logIn('oNeverTold')
  await call(`${world.url}/api/v1/me`, { token })
  const log = lines.join('')
  expect(log.length).toBeGreaterThan(1000)
  for (const secret of [
    'oLogged',
    'oReused',
    'oNeverTold',
    '@example.com',
    'a wrong one',
    token,
    refreshToken,
  ])
    expect(log).not.toContain(secret)
})
