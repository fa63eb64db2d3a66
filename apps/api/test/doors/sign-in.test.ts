import { describe, expect, test } from 'vitest'
import { passwordHashes } from '../../src/operators/passwords.ts'
import {
  type ConsoleWorld,
  codeOf,
  consoleToken,
  hire,
  openConsole,
  passwordOf,
  problemOf,
  signedInConsole,
  signInAs,
} from '../world/console.ts'
import { startFakeRedis } from '../world/fake-redis.ts'
import { holdAllowance } from '../world/hold-allowance.ts'
import { call } from '../world/phone.ts'
import { secondInstance } from '../world/second-instance.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

type Attempt = { email: string; address: string; password?: string; code?: string }
const tryAt = (at: ConsoleWorld, { address, password = 'a wrong one', ...who }: Attempt) =>
  openConsole(at, { browser: { address } }).operator.signIn.mutate({
    password,
    ...who,
  })
const attempt = (word: Attempt) => problemOf(tryAt(world, word))

/** What one attempt after the other is answered. */
async function inTurn(count: number, ask: (turn: number) => Promise<string>): Promise<string[]> {
  const answers: string[] = []
  for (let turn = 0; turn < count; turn++) answers.push(await ask(turn))
  return answers
}
const wrong = (count: number) => Array<string>(count).fill('invalid_credentials')

const tracesFrom = (address: string) =>
  world.query<{ reason: string; known: boolean; email_initial: string | null; email_mac: string | null }>(
    `SELECT f.reason, o.email AS known, email_initial, email_mac FROM sign_in_failures f
     LEFT JOIN operators o ON o.id = f.operator_id WHERE f.address = $1 ORDER BY f.id`,
    [address],
  )

const idOf = async (email: string) => {
  const [row] = await world.query<{ id: string }>('SELECT id FROM operators WHERE email = $1', [email])
  return row?.id ?? ''
}

describe('a failed sign-in', () => {
  test('leaves a trace that says why: a known account by its id, an unknown e-mail by a keyed hash and a letter', async () => {
    const address = '198.51.100.20'
    for (const name of ['wrong', 'gone', 'coded']) await hire(world, { email: `${name}@example.com` })
    await hire(world, { email: 'late@example.com', mustChangePassword: true })
    await world.query(`UPDATE operators SET disabled_at = business_now() WHERE email = 'gone@example.com'`)
    await world.passTime({ hours: 24 })
    const right = (email: string, code = '000000') =>
      attempt({ email, address, password: passwordOf(email), code })
    expect(await attempt({ email: 'Nobody@example.com', address })).toBe('invalid_credentials')
    expect(await attempt({ email: 'wrong@example.com', address })).toBe('invalid_credentials')
    expect(await right('gone@example.com')).toBe('invalid_credentials')
    expect(await right('late@example.com')).toBe('invalid_credentials')
    expect(await right('coded@example.com')).toBe('invalid_code')
    const email_mac = await world.services.dataKeys.markOf('operator e-mail nobody@example.com')
    const known = (email: string) => ({ known: email, email_initial: null, email_mac: null })
    expect(await tracesFrom(address)).toEqual([
      { reason: 'unknown_account', known: null, email_initial: 'n', email_mac },
      { reason: 'wrong_password', ...known('wrong@example.com') },
      { reason: 'account_disabled', ...known('gone@example.com') },
      { reason: 'password_expired', ...known('late@example.com') },
      { reason: 'wrong_code', ...known('coded@example.com') },
    ])
  })

  test('is shown to owners, who see it masked, and to nobody else', async () => {
    const address = '198.51.100.21'
    const email = 'shown@example.com'
    await hire(world, { email })
    await attempt({ email: 'stranger@example.net', address })
    await attempt({ email, address })
    const { console: owner } = await signedInConsole(world, { email: 'watcher@example.com' })
    const failures = await owner.staff.signInFailures.query()
    expect(failures.filter((failure) => failure.address === address)).toEqual([
      {
        id: expect.any(String),
        at: expect.any(Date),
        operatorId: await idOf(email),
        who: 's••••@example.com',
        address,
        reason: 'wrong_password',
      },
      {
        id: expect.any(String),
        at: expect.any(Date),
        operatorId: null,
        who: 's••••',
        address,
        reason: 'unknown_account',
      },
    ])
    const { console: finance } = await signedInConsole(world, {
      email: 'finance@example.com',
      role: 'finance',
    })
    expect(await problemOf(finance.staff.signInFailures.query())).toBe('forbidden')
  })

  test('leaves ten thousand traces at most', async () => {
    await world.query(
      `INSERT INTO sign_in_failures (email_mac, email_initial, address, request_id, reason)
       SELECT repeat('x', 43), 'x', '192.0.2.99', 'flood', 'unknown_account' FROM generate_series(1, 10020)`,
    )
    await attempt({ email: 'last@example.com', address: '198.51.100.22' })
    const [kept] = await world.query<{ count: number }>('SELECT count(*)::int AS count FROM sign_in_failures')
    expect(kept?.count).toBeLessThanOrEqual(10_000)
    expect(await tracesFrom('198.51.100.22')).toHaveLength(1)
    await world.query(`DELETE FROM sign_in_failures WHERE request_id = 'flood'`)
  })
})

describe('guesses', () => {
  test('at one account are limited from whatever addresses, and lock nobody out where they signed in well before', async () => {
    const email = 'victim@example.com'
    await hire(world, { email, enrolled: false })
    const home = '203.0.113.40'
    const enter = (address: string) => tryAt(world, { email, address, password: passwordOf(email) })
    await enter(home)
    expect(await inTurn(20, (turn) => attempt({ email, address: `198.51.101.${turn}` }))).toEqual(wrong(20))
    expect(await problemOf(enter('198.51.101.99'))).toBe('rate_limited')
    expect((await enter(home)).operator.email).toBe(email)
    expect((await tracesFrom('198.51.101.99')).map(({ reason }) => reason)).toEqual(['rate_limited'])
    // Their own allowance has an end as well.
    expect(await inTurn(10, () => attempt({ email, address: home }))).toEqual(wrong(10))
    expect(await problemOf(enter(home))).toBe('rate_limited')
  })

  test('from one network are limited whatever the account, and other networks go on', async () => {
    const of = (last: number) => `2001:db8:77:1::${(last + 1).toString(16)}`
    expect(
      await inTurn(60, (turn) => attempt({ email: `somebody${turn}@example.com`, address: of(turn) })),
    ).toEqual(wrong(60))
    expect(await attempt({ email: 'another@example.com', address: of(99) })).toBe('rate_limited')
    expect(await attempt({ email: 'another@example.com', address: '2001:db8:77:2::1' })).toBe(
      'invalid_credentials',
    )
    const [, ...traces] = await tracesFrom(of(99))
    expect(traces).toEqual([])
  })

  test('are limited over all replicas together, but not for an account and address of the last thirty days', async () => {
    const redis = await startFakeRedis()
    await using one = await openTestWorld({ environment: { REDIS_URL: redis.url } })
    await expect.poll(() => one.services.limits.sharing().up).toBe(true)
    const email = 'regular@example.com'
    await hire(one, { email, enrolled: false })
    const enter = (at: ConsoleWorld, address: string) =>
      tryAt(at, { email, address, password: passwordOf(email) })
    await enter(one, '203.0.113.50')
    redis.counters.set('limit:sign-in-all:all', 300)
    expect(await problemOf(enter(one, '198.51.100.50'))).toBe('rate_limited')
    expect((await enter(one, '203.0.113.50')).operator.email).toBe(email)

    await one.passTime({ days: 29, hours: 23 })
    await using other = await secondInstance(one)
    await expect.poll(() => other.services.limits.sharing().up).toBe(true)
    expect((await enter({ ...one, url: other.url }, '203.0.113.50')).operator.email).toBe(email)
    await one.passTime({ days: 30, minutes: 1 })
    await using third = await secondInstance(one)
    await expect.poll(() => third.services.limits.sharing().up).toBe(true)
    expect(await problemOf(enter({ ...one, url: third.url }, '203.0.113.50'))).toBe('rate_limited')
    await redis.close()
  })

  test('are all that counts: somebody may sign in as often as they like', async () => {
    const email = 'often@example.com'
    await hire(world, { email })
    const address = '198.51.100.60'
    const enter = async () => {
      expect(await attempt({ email, address, password: passwordOf(email) })).toBe('code_required')
      const code = await codeOf(world, email)
      return (await tryAt(world, { email, address, password: passwordOf(email), code })).operator.email
    }
    expect(await inTurn(12, enter)).toEqual(Array(12).fill(email))
  })

  test('all at once wait for two hashes at a time, and those without room are told when to come back', async () => {
    const guess = async (turn: number) =>
      call(`${world.url}/trpc/operator.signIn`, {
        method: 'POST',
        headers: { 'x-console-token': await consoleToken(world, { address: `198.51.102.${turn}` }) },
        body: { json: { email: `flood${turn}@example.com`, password: 'a wrong one' } },
      })
    const guesses = () => Array.from({ length: 12 }, (_, turn) => guess(turn))
    // Two are hashed and fifteen wait: no room for strangers.
    const { letGo } = holdAllowance(passwordHashes, 17)
    const told: unknown[] = []
    const refused = guesses().map(async (guessed) => {
      const { status, headers } = await guessed
      told.push([status, headers.get('retry-after')])
    })
    try {
      await expect.poll(() => told).toEqual(Array(12).fill([429, '1']))
    } finally {
      await letGo()
      await Promise.all(refused)
    }
    const busy = await world.query(
      `SELECT 1 FROM sign_in_failures WHERE reason = 'busy' AND address LIKE '198.51.102.%'`,
    )
    expect(busy).toHaveLength(12)
    const waited = await Promise.all(guesses())
    expect(waited.map(({ status }) => status)).toEqual(Array(12).fill(401))
  })
})

describe('changing one’s password', () => {
  const changeTo = async (email: string, newPassword: string) => {
    const { token } = await signInAs(world, email)
    const change = { currentPassword: passwordOf(email), newPassword }
    return openConsole(world, { session: token }).operator.changePassword.mutate(change)
  }

  test('counts guesses of the current one like sign-ins, many in one request too, and traces each', async () => {
    const email = 'thief@example.com'
    const { token } = await signedInConsole(world, { email })
    const address = '198.51.100.70'
    const guess = { json: { currentPassword: 'a guess', newPassword: 'a password of the thief' } }
    const batch = async (size: number) => {
      const path = Array(size).fill('operator.changePassword').join(',')
      const answer = await call(`${world.url}/trpc/${path}?batch=1`, {
        method: 'POST',
        headers: {
          'x-console-token': await consoleToken(world, { address }),
          authorization: `Bearer ${token}`,
        },
        body: Object.fromEntries(Array.from({ length: size }, (_, index) => [index, guess])),
      })
      const failures: { error: { json: { data: { problem: { code: string } } } } }[] = Object(answer.body)
      return failures.map(({ error }) => error.json.data.problem.code)
    }
    expect(await batch(8)).toEqual(wrong(8))
    expect((await batch(8)).sort()).toEqual([...wrong(2), ...Array(6).fill('rate_limited')])
    const reasons = (await tracesFrom(address)).map(({ reason }) => reason)
    expect(reasons.filter((reason) => reason === 'wrong_current_password')).toHaveLength(10)
    expect(reasons.filter((reason) => reason === 'rate_limited')).toHaveLength(1)
    const audited = await world.query(
      `SELECT 1 FROM audit_entries WHERE action = 'operator.wrong_password' AND operator_id = $1`,
      [await idOf(email)],
    )
    expect(audited).toHaveLength(10)
    const { operator } = await signInAs(world, email)
    expect(operator.email).toBe(email)
  })

  test.each([
    ['password1234', 'password_too_common'],
    ['PassWord1234', 'password_too_common'],
    ['1qaz2wsx3edc4rfv', 'password_too_common'],
    ['qwerty123456', 'password_too_common'],
    ['i am Chosen.Person, me', 'password_has_name'],
    ['chosen_person 2026', 'password_has_name'],
    ['welcome to MERIDIAN', 'password_has_name'],
    ['me-ri-di-an 12345', 'password_has_name'],
    ['only 11 car', 'invalid_request'],
  ])('never to %s', async (newPassword, code) => {
    const email = 'chosen.person@example.com'
    await hire(world, { email })
    expect(await problemOf(changeTo(email, newPassword))).toBe(code)
  })

  test('to one that nobody guesses is fine', async () => {
    const email = 'careful@example.com'
    await hire(world, { email })
    expect((await changeTo(email, 'correct horse battery staple')).email).toBe(email)
  })
})
