import { createHash } from 'node:crypto'
import { OperatorRole } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { limitRules } from '../../src/platform/limits/open-limits.ts'
import {
  type Console,
  codeOf,
  consoleToken,
  failureOf,
  hire,
  openConsole,
  passwordOf,
  problemOf,
  signedInConsole,
  signInAs,
} from '../world/console.ts'
import { type Answer, call } from '../world/phone.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

/** As the API names a request: a UUID of version 7, whatever it was told. */
const ownRequestId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const world = useTestWorld()

const someOrder = 'M01ARZ3NDEKTSV4RRFFQ69G5FAV'
/** What an operator ordinarily reads and does. */
const ordinaryCalls = ({ order, plan }: Console): Promise<unknown>[] => [
  order.list.query({}),
  order.totals.query({}),
  order.detail.query({ outTradeNo: someOrder }),
  order.sync.mutate({ outTradeNo: someOrder }),
  plan.list.query(),
]
const hashOf = (token: string) => createHash('sha256').update(token).digest()
const signIn = (email: string, password?: string) => signInAs(world, email, password)

describe('without the token of the console', () => {
  const paths = [
    '/trpc',
    '/trpc/operator.context',
    '/trpc/operator.signIn',
    '/trpc/order.list?batch=1',
    '/console/exports',
  ]
  const expectNothing = async (headers: Record<string, string>) => {
    const nameless = ({ body }: { body: unknown }) => ({ ...Object(body), request_id: '' })
    const missing = await call(`${world.url}/no-such-path`)
    for (const path of paths)
      for (const method of ['GET', 'POST']) {
        const answer = await call(`${world.url}${path}`, { method, headers })
        expect([method, path, answer.status, nameless(answer)]).toEqual([
          method,
          path,
          404,
          nameless(missing),
        ])
      }
  }

  test('there is nothing, like on any path that does not exist', () => expectNothing({}))

  test('a session alone opens nothing', async () => {
    const { token } = await signedInConsole(world, { email: 'session-alone@example.com' })
    await expectNothing({ authorization: `Bearer ${token}` })
  })

  test.each([
    ['an expired token', { age: 100 }],
    ['a token of another key', { secret: 'x'.repeat(40) }],
    ['a token of the key for users', { secret: 'test-jwt-secret-test-jwt-secret-0123456789' }],
    ['a token for another audience', { audience: 'meridian-miniprogram' }],
    ['a token of the future', { age: -3600 }],
  ])('%s opens nothing', async (_what, changes) => {
    await expectNothing({ 'x-console-token': await consoleToken(world, {}, changes) })
  })

  test.each(['', 'x', 'a.b.c'])('the text "%s" opens nothing', (token) =>
    expectNothing({ 'x-console-token': token }),
  )
})

describe('signing in', () => {
  test('answers a session and the operator, and keeps only the hash of its token', async () => {
    await hire(world, { email: 'first@example.com', role: 'finance' })
    const session = await signIn('first@example.com')
    expect(session).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: expect.any(Date),
      operator: {
        id: expect.any(String),
        email: 'first@example.com',
        name: 'first@example.com',
        role: 'finance',
        mustChangePassword: false,
      },
    })
    expect(
      Math.round((session.expiresAt.getTime() - world.services.runtime.now().getTime()) / 3_600_000),
    ).toBe(12)
    const [row] = await world.query(
      'SELECT s::text AS row, address, user_agent FROM operator_sessions s WHERE token_hash = $1',
      [hashOf(session.token)],
    )
    expect(row).toMatchObject({ address: '203.0.113.7', user_agent: 'test browser' })
    expect(JSON.stringify(row)).not.toContain(session.token)
  })

  test('does not mind the case of the e-mail address', async () => {
    await hire(world, { email: 'case@example.com' })
    expect((await signIn('Case@Example.com', passwordOf('case@example.com'))).operator.email).toBe(
      'case@example.com',
    )
  })

  test('fails alike for a wrong password, an unknown address, an expired first password and a disabled operator', async () => {
    await hire(world, { email: 'wrong@example.com' })
    await hire(world, { email: 'late@example.com', mustChangePassword: true })
    await hire(world, { email: 'gone@example.com' })
    await world.query(`UPDATE operators SET disabled_at = business_now() WHERE email = 'gone@example.com'`)
    await world.passTime({ hours: 24 })
    const failures = await Promise.all([
      failureOf(signIn('wrong@example.com', 'not the password')),
      failureOf(signIn('nobody@example.com')),
      failureOf(signIn('late@example.com')),
      failureOf(signIn('gone@example.com')),
    ])
    for (const { problem, ...rest } of failures) {
      expect(rest).toEqual({ code: 'UNAUTHORIZED', httpStatus: 401 })
      expect(problem).toEqual({
        code: 'invalid_credentials',
        title: '邮箱或密码不正确',
        requestId: expect.any(String),
      })
    }
  })

  test('speaks the language of the browser', async () => {
    const english = openConsole(world, { headers: { 'accept-language': 'en-GB' } })
    const { problem } = await failureOf(
      english.operator.signIn.mutate({ email: 'nobody@example.com', password: 'x' }),
    )
    expect(problem.title).toBe('Wrong e-mail or password')
  })

  test('is slowed down after ten attempts per account and address, and nobody else is', async () => {
    await hire(world, { email: 'target@example.com', enrolled: false })
    const attempt = (address: string, email = 'target@example.com', password = 'guess') =>
      openConsole(world, { browser: { address } }).operator.signIn.mutate({ email, password })
    for (let turn = 0; turn < 10; turn++)
      expect(await problemOf(attempt('198.51.100.1'))).toBe('invalid_credentials')
    const eleventh = await failureOf(
      attempt('198.51.100.1', 'Target@example.com', passwordOf('target@example.com')),
    )
    expect(eleventh).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      httpStatus: 429,
      problem: { code: 'rate_limited' },
    })
    expect(await problemOf(attempt('198.51.100.1', 'other@example.com'))).toBe('invalid_credentials')
    const owner = await attempt('198.51.100.2', 'target@example.com', passwordOf('target@example.com'))
    expect(owner.operator.email).toBe('target@example.com')
  })

  test('is written to the audit log with address and request id', async () => {
    await hire(world, { email: 'audited@example.com', enrolled: false })
    const browser = { address: '2001:db8::1' }
    const visitor = openConsole(world, { browser })
    const { operator } = await visitor.operator.signIn.mutate({
      email: 'audited@example.com',
      password: passwordOf('audited@example.com'),
    })
    const entries = await world.query(
      'SELECT action, subject_type, address, request_id FROM audit_entries WHERE operator_id = $1',
      [operator.id],
    )
    expect(entries).toEqual([
      {
        action: 'operator.sign_in',
        subject_type: 'session',
        address: '2001:db8::1',
        request_id: expect.stringMatching(ownRequestId),
      },
    ])
  })
})

describe('a session', () => {
  test('tells the console who is signed in and which platform takes the money', async () => {
    const { console } = await signedInConsole(world, { email: 'context@example.com', role: 'viewer' })
    expect(await console.operator.context.query()).toMatchObject({
      operator: { email: 'context@example.com', role: 'viewer' },
      platform: 'sandbox',
    })
  })

  test('is asked for by everything but signing in', async () => {
    const visitor = openConsole(world)
    const calls: Promise<unknown>[] = [
      visitor.operator.context.query(),
      visitor.operator.signOut.mutate(),
      visitor.operator.changePassword.mutate({ currentPassword: 'x', newPassword: 'x'.repeat(12) }),
      ...ordinaryCalls(visitor),
    ]
    for (const failure of await Promise.all(calls.map(failureOf)))
      expect(failure).toMatchObject({ code: 'UNAUTHORIZED', problem: { code: 'unauthenticated' } })
  })

  test.each(['x', 'A'.repeat(43), '../../x'])('does not open with the token "%s"', async (session) => {
    expect(await problemOf(openConsole(world, { session }).operator.context.query())).toBe('unauthenticated')
  })

  test('ends after two idle hours, and each call keeps it awake', async () => {
    const { console, token } = await signedInConsole(world, { email: 'idle@example.com' })
    await world.passTime({ hours: 1, minutes: 59 })
    await console.operator.context.query()
    const [awake] = await world.query(
      `SELECT last_seen_at > business_now() - interval '1 minute' AS awake FROM operator_sessions WHERE token_hash = $1`,
      [hashOf(token)],
    )
    expect(awake).toEqual({ awake: true })
    await world.passTime({ hours: 2 })
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
  })

  test('ends after twelve hours however busy it was', async () => {
    const { console } = await signedInConsole(world, { email: 'busy@example.com' })
    for (let hour = 1; hour < 12; hour++) {
      await world.passTime({ hours: 1 })
      await console.operator.context.query()
    }
    await world.passTime({ hours: 1 })
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
  })

  test('ends at once when its operator is disabled', async () => {
    const { console } = await signedInConsole(world, { email: 'fired@example.com' })
    await world.query(`UPDATE operators SET disabled_at = business_now() WHERE email = 'fired@example.com'`)
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
  })

  test('ends with signing out, and only this one does', async () => {
    const { console } = await signedInConsole(world, { email: 'out@example.com' })
    const elsewhere = openConsole(world, { session: (await signIn('out@example.com')).token })
    expect(await console.operator.signOut.mutate()).toEqual({ signedOut: true })
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
    expect((await elsewhere.operator.context.query()).operator.email).toBe('out@example.com')
  })

  test('ends with signing in again from the same browser, once the new one is open', async () => {
    const email = 'again@example.com'
    const { console, token } = await signedInConsole(world, { email })
    const elsewhere = openConsole(world, { session: (await signIn(email)).token })
    const password = passwordOf(email)
    const signInAgain = (code?: string) => console.operator.signIn.mutate({ email, password, code })
    expect(await problemOf(signInAgain())).toBe('code_required')
    expect(await problemOf(signInAgain('000000'))).toBe('invalid_code')
    expect((await console.operator.context.query()).operator.email).toBe(email)
    const session = await signInAgain(await codeOf(world, email))
    expect(session.token).not.toBe(token)
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
    for (const live of [elsewhere, openConsole(world, { session: session.token })])
      expect((await live.operator.context.query()).operator.email).toBe(email)
  })

  test('ends with the sign-in of somebody else in the same browser', async () => {
    const { console } = await signedInConsole(world, { email: 'leaves@example.com' })
    await hire(world, { email: 'comes@example.com', role: 'viewer' })
    const [email, password] = ['comes@example.com', passwordOf('comes@example.com')]
    await console.operator.signIn.mutate({ email, password })
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
  })

  test('may call 600 times a minute', async () => {
    const { token } = await signedInConsole(world, { email: 'eager@example.com' })
    const single = (session: string) =>
      call(`${world.url}/trpc/operator.context`, {
        headers: { authorization: `Bearer ${session}`, ...tokenHeader },
      })
    const tokenHeader = { 'x-console-token': await consoleToken(world) }
    const [session] = await world.query<{ id: string }>(
      `SELECT id FROM operator_sessions WHERE token_hash = $1`,
      [hashOf(token)],
    )
    // Counted at once: on a busy machine six hundred calls take longer than the minute.
    await world.services.limits.spend(limitRules.consoleCalls, session?.id ?? '', 594)
    const answers: Answer[] = []
    while (answers.length < 7) answers.push(await single(token))
    expect(answers.map(({ status }) => status)).toEqual([...Array(6).fill(200), 429])
    expect(answers.at(-1)).toMatchObject({
      status: 429,
      body: { error: { json: { data: { problem: { code: 'rate_limited' } } } } },
    })
  })
})

describe('a first password', () => {
  const email = 'new@example.com'
  const newPassword = 'a password of my own'
  let console: Console

  beforeAll(async () => {
    console = (await signedInConsole(world, { email, role: 'viewer', mustChangePassword: true })).console
  })

  test('opens nothing but the context, the change and the way out', async () => {
    expect((await console.operator.context.query()).operator.mustChangePassword).toBe(true)
    for (const problem of await Promise.all(ordinaryCalls(console).map(problemOf)))
      expect(problem).toBe('password_change_required')
  })

  test('is not changed without the current one, to the same or to a short one', async () => {
    const change = (currentPassword: string, wanted: string) =>
      problemOf(console.operator.changePassword.mutate({ currentPassword, newPassword: wanted }))
    expect(await change('not the password', newPassword)).toBe('invalid_credentials')
    expect(await change(passwordOf(email), passwordOf(email))).toBe('invalid_request')
    expect(await change(passwordOf(email), 'too short')).toBe('invalid_request')
  })

  test('once changed opens the console, ends the other sessions and is worth nothing any more', async () => {
    const other = openConsole(world, { session: (await signIn(email)).token })
    const operator = await console.operator.changePassword.mutate({
      currentPassword: passwordOf(email),
      newPassword,
    })
    expect(operator).toMatchObject({ email, mustChangePassword: false })
    expect(await console.order.list.query({})).toEqual({ items: [], nextCursor: null, previousCursor: null })
    expect(await problemOf(other.operator.context.query())).toBe('unauthenticated')
    expect(await problemOf(signIn(email))).toBe('invalid_credentials')
    expect((await signIn(email, newPassword)).operator.mustChangePassword).toBe(false)
    const audited = await world.query(
      `SELECT count(*)::int FROM audit_entries WHERE action = 'operator.change_password'`,
    )
    expect(audited).toEqual([{ count: 1 }])
  })
})

describe('roles', () => {
  test.each(OperatorRole.options)('%s may read, and sync unless viewer', async (role) => {
    const phone = await world.phone()
    const { order } = await phone.buys('monthly')
    const { console } = await signedInConsole(world, { email: `${role}@example.com`, role })
    const outTradeNo = order.out_trade_no
    expect((await console.order.list.query({ search: outTradeNo })).items).toHaveLength(1)
    expect((await console.order.totals.query({ search: outTradeNo })).count).toBe(1)
    expect((await console.order.detail.query({ outTradeNo })).outTradeNo).toBe(outTradeNo)
    expect((await console.plan.list.query()).items.map(({ code }) => code)).toEqual([
      'monthly',
      'quarterly',
      'yearly',
    ])
    const sync = console.order.sync.mutate({ outTradeNo })
    if (role === 'viewer')
      expect(await failureOf(sync)).toMatchObject({
        code: 'FORBIDDEN',
        httpStatus: 403,
        problem: { code: 'forbidden' },
      })
    else expect((await sync).outcome).toBe('unchanged')
    const audited = await world.query(
      `SELECT 1 FROM audit_entries WHERE action = 'order.sync' AND subject_id = $1`,
      [outTradeNo],
    )
    expect(audited).toHaveLength(role === 'viewer' ? 0 : 1)
  })

  test('a role that was taken away is gone at the next call', async () => {
    const { console } = await signedInConsole(world, { email: 'demoted@example.com', role: 'owner' })
    await world.query(`UPDATE operators SET role = 'viewer' WHERE email = 'demoted@example.com'`)
    expect(await problemOf(console.order.sync.mutate({ outTradeNo: someOrder }))).toBe('forbidden')
  })
})

describe('failures', () => {
  let console: Console
  beforeAll(async () => {
    console = (await signedInConsole(world, { email: 'failures@example.com' })).console
  })

  test('an input that does not fit is an invalid request', async () => {
    const failure = await failureOf(console.order.detail.query({ outTradeNo: 'x' }))
    expect(failure).toMatchObject({
      code: 'BAD_REQUEST',
      problem: { code: 'invalid_request', title: '请求内容有误' },
    })
  })

  test('an order that does not exist is not found', async () => {
    expect(await problemOf(console.order.detail.query({ outTradeNo: someOrder }))).toBe('order_not_found')
    expect(await problemOf(console.order.sync.mutate({ outTradeNo: someOrder }))).toBe('order_not_found')
  })

  test('a procedure that does not exist is not found, and a query is no mutation', async () => {
    const headers = { 'x-console-token': await consoleToken(world) }
    const unknown = await call(`${world.url}/trpc/order.refund`, { headers })
    expect(unknown).toMatchObject({
      status: 404,
      body: { error: { json: { data: { problem: { code: 'not_found' } } } } },
    })
    const wrong = await call(`${world.url}/trpc/order.sync`, { headers })
    expect(wrong).toMatchObject({
      status: 405,
      body: { error: { json: { data: { problem: { code: 'method_not_allowed' } } } } },
    })
  })

  test('the request id is ours, whatever the console was told, in the header and in the problem', async () => {
    const headers = { 'x-console-token': await consoleToken(world), 'x-request-id': 'chosen-by-a-stranger' }
    const answer = await call(`${world.url}/trpc/operator.context`, { headers })
    const requestId = answer.headers.get('x-request-id')
    expect(requestId).toMatch(ownRequestId)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toMatchObject({ error: { json: { data: { problem: { requestId } } } } })
  })

  test('a stranger does not choose under which request id an act stands in the audit log', async () => {
    const email = 'chosen-id@example.com'
    await hire(world, { email, role: 'viewer' })
    const headers = { 'x-console-token': await consoleToken(world), 'x-request-id': 'chosen-by-a-stranger' }
    const body = { json: { email, password: passwordOf(email) } }
    const answer = await call(`${world.url}/trpc/operator.signIn`, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    const requestIds = await world.query(
      'SELECT request_id FROM audit_entries a JOIN operators o ON o.id = a.operator_id WHERE email = $1',
      [email],
    )
    expect(requestIds).toEqual([{ request_id: answer.headers.get('x-request-id') }])
    expect(requestIds).not.toEqual([{ request_id: 'chosen-by-a-stranger' }])
  })

  test('a bug tells the console a request id and nothing else', async () => {
    await world.query('ALTER TABLE plans RENAME TO hidden_away')
    const headers = {
      'x-console-token': await consoleToken(world),
      authorization: `Bearer ${(await signIn('failures@example.com')).token}`,
    }
    const answer = await call(`${world.url}/trpc/plan.list`, { headers })
    await world.query('ALTER TABLE hidden_away RENAME TO plans')
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({
      error: {
        json: {
          message: '服务器内部错误',
          code: expect.any(Number),
          data: {
            code: 'INTERNAL_SERVER_ERROR',
            httpStatus: 500,
            problem: { code: 'internal_error', title: '服务器内部错误', requestId: expect.any(String) },
          },
        },
      },
    })
  })

  test('a database that takes no connections is "service unavailable"', async () => {
    await using failing = await openTestWorld()
    const { console: there } = await signedInConsole(failing, { email: 'down@example.com' })
    const name = new URL(failing.databaseUrl).pathname.slice(1)
    await world.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`)
    await world.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
    const calls = [there.operator.context.query(), there.plan.list.query(), there.order.list.query({})]
    for (const failure of await Promise.all(calls.map(failureOf)))
      expect(failure).toMatchObject({ httpStatus: 503, problem: { code: 'service_unavailable' } })
    await world.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`)
  })

  test('a body of a whole MiB is read, one beyond is too large', async () => {
    const headers = { 'x-console-token': await consoleToken(world) }
    const ofBytes = (bytes: number) => `{"json":"${'x'.repeat(bytes - 11)}"}`
    const post = (bytes: number) =>
      call(`${world.url}/trpc/operator.signIn`, { method: 'POST', body: ofBytes(bytes), headers })
    expect((await post(1024 * 1024)).status).toBe(400)
    expect((await post(1024 * 1024 + 1)).status).toBe(413)
  })
})
