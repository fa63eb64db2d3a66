import { expect, test } from 'vitest'
import { type Console, hire, openConsole, passwordOf, problemOf, signedInConsole } from '../world/console.ts'
import { startFakeRedis } from '../world/fake-redis.ts'
import { type Answer, call, codeOf } from '../world/phone.ts'
import { secondInstance } from '../world/second-instance.ts'
import { openTestWorld, type TestWorld } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({
  environment: {
    RATE_LIMITS: 'login=4,purchase=2,sync=3,user=5,anonymous=6,bind=2,reports=0',
    TRUST_PROXY: '127.0.0.0/8',
  },
})

let addresses = 0
/** An address nobody has used yet, as the proxy in front of us reports it. */
const freshAddress = () => `198.51.${Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`
const from = (address: string) => ({ 'x-forwarded-for': address })

async function signedIn(openid: string) {
  const { platform, url } = world
  const answer = await call(`${url}/api/v1/auth/login`, {
    method: 'POST',
    body: { code: platform.loginCode(openid) },
    headers: from(freshAddress()),
  })
  const { access_token: token } = Object(answer.body)
  return (path: string, request: Parameters<typeof call>[1] = {}) =>
    call(`${url}/api/v1${path}`, { token, ...request })
}

function expectLimited(answer: Answer) {
  expect([answer.status, codeOf(answer)]).toEqual([429, 'rate_limited'])
  const seconds = Number(answer.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(answer.headers.get('ratelimit-remaining')).toBe('0')
}

async function times(count: number, ask: () => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = []
  for (let turn = 0; turn < count; turn++) statuses.push((await ask()).status)
  return statuses
}

test('each answer says the limit, what remains of it and when it starts afresh', async () => {
  const ask = await signedIn('oHeaders')
  const remaining: (string | null)[] = []
  for (const _ of [1, 2, 3]) {
    const { headers } = await ask('/me')
    expect(headers.get('ratelimit-limit')).toBe('5')
    expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
    remaining.push(headers.get('ratelimit-remaining'))
  }
  expect(remaining).toEqual(['4', '3', '2'])
})

test('signed-in requests count per user, whatever the address', async () => {
  const ask = await signedIn('oMoving')
  expect(await times(5, () => ask('/me', { headers: from(freshAddress()) }))).toEqual([
    200, 200, 200, 200, 200,
  ])
  expectLimited(await ask('/subscription', { headers: from(freshAddress()) }))
})

test('many people behind one address do not limit each other', async () => {
  const address = from(freshAddress())
  for (const name of ['oShared1', 'oShared2', 'oShared3']) {
    const ask = await signedIn(name)
    expect(await times(5, () => ask('/me', { headers: address }))).toEqual([200, 200, 200, 200, 200])
  }
})

test('purchases count apart, and a refused one stores nothing', async () => {
  const ask = await signedIn('oBuyer')
  const buy = (key: string) =>
    ask('/subscription/purchase', {
      method: 'POST',
      body: { plan_code: 'monthly' },
      headers: { 'idempotency-key': key },
    })
  expect(await times(2, () => buy('k1'))).toEqual([201, 200])
  expectLimited(await buy('k2'))
  expect((await ask('/me')).status).toBe(200)
  const orders = await world.query(
    `SELECT 1 FROM orders o JOIN users u ON u.id = o.user_id WHERE u.openid = 'oBuyer'`,
  )
  expect(orders).toHaveLength(1)
})

test('syncs count apart', async () => {
  const ask = await signedIn('oSyncer')
  const sync = () => ask('/subscription/orders/M01ARZ3NDEKTSV4RRFFQ69G5FAV/sync', { method: 'POST' })
  expect(await times(3, sync)).toEqual([404, 404, 404])
  expectLimited(await sync())
  expect((await ask('/me')).status).toBe(200)
})

test('claims of devices count apart, questions to them too', async () => {
  const ask = await signedIn('oBinder')
  const claim = (path: string) => ask(path, { method: 'POST', body: { serial_number: 'LIMIT-0001' } })
  expect(await times(1, () => claim('/devices/bind'))).toEqual([201])
  expect(await times(1, () => claim('/devices/bind-challenge'))).toEqual([200])
  expectLimited(await claim('/devices/bind'))
  expect((await ask('/devices/unbind', { method: 'POST' })).status).toBe(200)
})

test('logins and refreshes count together per address', async () => {
  const [here, elsewhere] = [from(freshAddress()), from(freshAddress())]
  const post = (path: string, body: object, headers: Record<string, string>) =>
    call(`${world.url}/api/v1${path}`, { method: 'POST', body, headers })
  expect(await times(2, () => post('/auth/login', { code: 'x' }, here))).toEqual([401, 401])
  expect(await times(2, () => post('/auth/refresh', { refresh_token: 'x' }, here))).toEqual([401, 401])
  expectLimited(await post('/auth/refresh', { refresh_token: 'x' }, here))
  expect((await post('/auth/login', { code: 'x' }, elsewhere)).status).toBe(401)
})

test.each([
  ['the plans', '/subscription/plans', 200],
  ['operations without a token', '/me', 401],
  ['paths that do not exist', '/nothing', 404],
  ['the document', '/openapi.json', 200],
])('without a user %s count per address', async (_what, path, status) => {
  const [here, elsewhere] = [from(freshAddress()), from(freshAddress())]
  const ask = (headers: Record<string, string>) => call(`${world.url}/api/v1${path}`, { headers })
  expect(await times(6, () => ask(here))).toEqual(Array(6).fill(status))
  expectLimited(await ask(here))
  expect((await ask(elsewhere)).status).toBe(status)
})

test('a refused token counts against its address, never against the user it names', async () => {
  const ask = await signedIn('oNamed')
  const address = from(freshAddress())
  expect(await times(6, () => ask('/me', { token: 'wrong', headers: address }))).toEqual(Array(6).fill(401))
  expectLimited(await ask('/me', { token: 'wrong', headers: address }))
  expect((await ask('/me')).status).toBe(200)
})

test('without a trusted proxy the header of the client is not believed', async () => {
  await using direct = await openTestWorld({ environment: { RATE_LIMITS: 'anonymous=2' } })
  const ask = () => call(`${direct.url}/api/v1/subscription/plans`, { headers: from(freshAddress()) })
  expect(await times(3, ask)).toEqual([200, 200, 429])
})

test('a limit of 0 is no limit', async () => {
  await using open = await openTestWorld({ environment: { RATE_LIMITS: 'anonymous=0' } })
  const answers: Answer[] = []
  while (answers.length < 650) {
    const ask = () => call(`${open.url}/api/v1/subscription/plans`, { method: 'HEAD' })
    answers.push(...(await Promise.all(Array.from({ length: 25 }, ask))))
  }
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(answers[0]?.headers.get('ratelimit-limit')).toBe(null)
})

test('replicas share their limits through Redis, and each limits alone when Redis is silent or gone', async () => {
  const redis = await startFakeRedis()
  const environment = { RATE_LIMITS: 'anonymous=8', REDIS_URL: redis.url }
  await using one = await openTestWorld({ environment })
  await using other = await openTestWorld({ environment })
  const ask = ({ url }: TestWorld) => call(`${url}/api/v1/subscription/plans`)
  await expect.poll(() => redis.connections()).toBe(2)
  await expect.poll(async () => [(await ask(one)).status, (await ask(other)).status]).toEqual([429, 429])
  expect([...redis.counters.keys()].every((key) => key.startsWith('limit:anonymous:'))).toBe(true)
  expect(Math.max(...redis.counters.values())).toBeGreaterThan(8)

  redis.stall()
  expect((await ask(one)).status).toBe(200)
  await redis.close()
  expect((await ask(other)).status).toBe(200)
  expect(await times(10, () => ask(other))).toContain(429)
})

test('a Redis that hangs is left alone until it answers again: no call waits for it, each process limits alone', async () => {
  const redis = await startFakeRedis()
  await using world = await openTestWorld({
    environment: { RATE_LIMITS: 'anonymous=90', REDIS_URL: redis.url },
  })
  const { limits } = world.services
  const ask = () => call(`${world.url}/api/v1/subscription/plans`)
  await expect.poll(() => limits.sharing().up).toBe(true)
  expect((await ask()).status).toBe(200)
  expect(redis.countings()).toBeGreaterThan(0)

  redis.stall()
  expect((await ask()).status).toBe(200)
  expect(limits.sharing()).toEqual({ configured: true, up: false, since: expect.any(Date) })
  const { since } = limits.sharing()
  const countings = redis.countings()
  expect(new Set(await times(20, ask))).toEqual(new Set([200]))
  expect(redis.countings()).toBe(countings)
  expect(limits.sharing().since).toBe(since)

  redis.resume()
  await expect.poll(() => limits.sharing().up, { timeout: 10_000 }).toBe(true)
  expect((await ask()).status).toBe(200)
  expect(redis.countings()).toBeGreaterThan(countings)
  await redis.close()
  await expect.poll(() => limits.sharing().up).toBe(false)
})

test('without Redis nothing is shared, and it says so', () => {
  expect(world.services.limits.sharing()).toMatchObject({ configured: false, up: false })
})

test('replicas share the calls of a console session, sign-ins and codes through Redis', async () => {
  const redis = await startFakeRedis()
  await using one = await openTestWorld({ environment: { REDIS_URL: redis.url } })
  await using other = await secondInstance(one)
  await expect
    .poll(() => [one, other].map(({ services }) => services.limits.sharing().up))
    .toEqual([true, true])
  const email = 'everywhere@example.com'
  await hire(one, { email })
  const replicas = [one, { ...one, url: other.url }]
  const signInWith = async (word: { password?: string; code?: string }) => {
    const failures: string[] = []
    for (let turn = 0; turn < 11; turn++) {
      const { operator } = openConsole(replicas[turn % 2] ?? one, { browser: { address: `192.0.2.${turn}` } })
      failures.push(await problemOf(operator.signIn.mutate({ email, password: passwordOf(email), ...word })))
    }
    return failures
  }
  expect(await signInWith({ code: '000000' })).toEqual([...Array(10).fill('invalid_code'), 'rate_limited'])

  const guess = ({ operator }: Console) =>
    problemOf(operator.signIn.mutate({ email: 'guessed@example.com', password: 'wrong' }))
  const browser = { address: '198.51.100.9' }
  const guesses: string[] = []
  for (let turn = 0; turn < 11; turn++)
    guesses.push(await guess(openConsole(replicas[turn % 2] ?? one, { browser })))
  expect(guesses).toEqual([...Array(10).fill('invalid_credentials'), 'rate_limited'])

  const viewer = await signedInConsole(one, { email: 'viewer@example.com', role: 'viewer' })
  await openConsole({ ...one, url: other.url }, { session: viewer.token }).operator.context.query()
  await viewer.console.operator.context.query()
  const counted = [...redis.counters]
    .filter(([key]) => key.startsWith('limit:console:'))
    .map(([, uses]) => uses)
  expect(counted).toEqual([2])
  await redis.close()
})

test('addresses of one IPv6 network count together, and IPv4 by any spelling', async () => {
  const ask = (address: string) => call(`${world.url}/api/v1/subscription/plans`, { headers: from(address) })
  let last = 0
  expect(await times(6, () => ask(`2001:db8:5:6::${(++last).toString(16)}`))).toEqual(Array(6).fill(200))
  expectLimited(await ask('2001:db8:5:6:ffff:ffff:ffff:ffff'))
  expect((await ask('2001:db8:5:7::1')).status).toBe(200)

  expect(await times(6, () => ask('203.0.113.80'))).toEqual(Array(6).fill(200))
  for (const spelling of ['::ffff:203.0.113.80', '::FFFF:cb00:7150', '203.0.113.80:4711'])
    expectLimited(await ask(spelling))
})
