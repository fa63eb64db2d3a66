import type { SettingKey } from '@meridian/contracts'
import { AccountExport, MessagePermissions } from '@meridian/contracts'
import { afterEach, describe, expect, test } from 'vitest'
import { exportAccount } from '../../src/account/export-account.ts'
import { expectRefused } from '../world/expect-refused.ts'
import { call, type Phone } from '../world/phone.ts'
import { inTurn, secondInstance } from '../world/second-instance.ts'
import { setSetting } from '../world/set-setting.ts'
import { userIdOf } from '../world/somebody.ts'
import { openTestWorld } from '../world/test-world.ts'
import { untilWaiting } from '../world/until-waiting.ts'
import { useOpened, useTestWorld } from '../world/use-opened.ts'
import { bind, bindWithProof, newSerial, plantWearable } from '../world/wearable.ts'

const world = useTestWorld()
const other = useOpened(() => secondInstance(world))

const set = (key: SettingKey, value: unknown) => setSetting(world, key, value)
afterEach(async () => {
  await set('message_templates', {})
  await set('trial_days_on_first_binding', 0)
})

const put = (phone: Phone, body: unknown) => phone.call('/me', { method: 'PUT', body })
const erase = (phone: Phone, more: object = {}) =>
  phone.call('/me', {
    method: 'DELETE',
    body: { confirm: 'DELETE', code: world.platform.loginCode(phone.openid), ...more },
  })
const report = (phone: Phone, id: string) =>
  phone.call('/reports', {
    method: 'POST',
    body: {
      client_report_id: id,
      kind: 'scan',
      started_at: '2026-11-01T08:00:00Z',
      ended_at: '2026-11-01T08:05:00Z',
      score: 71.5,
      summary: { heart: '72' },
      measurements: [{ at: 1, value: 2 }],
    },
  })

describe('the profile', () => {
  test('changes what is named, keeps the rest, and loses what is empty', async () => {
    const phone = await world.phone()
    const both = await put(phone, { nickname: ' 小明 ', avatar_url: 'https://example.com/a.png?x=1' })
    expect(both.status).toBe(200)
    expect(both.body).toMatchObject({ nickname: '小明', avatar_url: 'https://example.com/a.png?x=1' })
    expect((await put(phone, { nickname: '小红' })).body).toMatchObject({
      nickname: '小红',
      avatar_url: 'https://example.com/a.png?x=1',
    })
    expect((await put(phone, { nickname: '', avatar_url: null })).body).toMatchObject({
      nickname: null,
      avatar_url: null,
    })
    expect((await phone.call('/me')).body).toEqual((await put(phone, {})).body)
  })

  test.each([
    ['a nickname of 65 characters', { nickname: 'x'.repeat(65) }],
    ['a nickname with a NUL', { nickname: 'a\u0000b' }],
    ['a nickname that turns the text beside it', { nickname: 'abc\u202Egnp.exe' }],
    ['a nickname with an isolate', { nickname: '\u2066Ada\u2069' }],
    ['an avatar with a password', { avatar_url: 'https://user:secret@example.com/a.png' }],
    ['an avatar with a user name', { avatar_url: 'https://user@example.com' }],
    ['an avatar over http', { avatar_url: 'http://example.com/a.png' }],
    ['an avatar that is a script', { avatar_url: 'javascript:alert(1)' }],
    ['an avatar with a NUL', { avatar_url: 'https://example.com/\u0000' }],
    ['an avatar of 513 characters', { avatar_url: `https://example.com/${'x'.repeat(493)}` }],
    ['no object', []],
  ])('%s is an invalid request', async (_what, body) => {
    expectRefused(await put(await world.phone(), body), 400, 'invalid_request')
  })
})

describe('message permissions', () => {
  const permissions = async (phone: Phone) =>
    MessagePermissions.parse((await phone.call('/me/message-permissions')).body).items
  const allow = (phone: Phone, template: string) =>
    phone.call('/me/message-permissions', { method: 'POST', body: { template } })

  test('are counted per template that is in use, one at a time', async () => {
    const phone = await world.phone()
    expect(await permissions(phone)).toEqual([])
    await set('message_templates', { subscription_expiring: 'tpl-1', report_ready: 'tpl-2' })
    const report_ready = { template: 'report_ready', template_id: 'tpl-2', remaining: 0 }
    const expiring = { template: 'subscription_expiring', template_id: 'tpl-1' }
    expect(await permissions(phone)).toEqual([report_ready, { ...expiring, remaining: 0 }])
    expect((await allow(phone, 'subscription_expiring')).body).toEqual({
      items: [report_ready, { ...expiring, remaining: 1 }],
    })
    const ask = inTurn(phone, other.url)
    const body = { template: 'subscription_expiring' }
    await Promise.all(
      [0, 1, 2, 3].map((turn) => ask(turn, '/me/message-permissions', { method: 'POST', body })),
    )
    expect(await permissions(phone)).toEqual([report_ready, { ...expiring, remaining: 5 }])
    expect(await permissions(await world.phone())).toEqual([report_ready, { ...expiring, remaining: 0 }])
  })

  test('for a template that is not in use are refused', async () => {
    const phone = await world.phone()
    const answer = await allow(phone, 'subscription_expiring')
    expectRefused(answer, 400, 'invalid_request')
    expect(answer.body).toMatchObject({ errors: [{ path: 'template' }] })
    expectRefused(await allow(phone, 'No Such'), 400, 'invalid_request')
  })
})

describe('the export', () => {
  test('holds everything that is kept about a person, and nothing of anybody else', async () => {
    const [phone, stranger] = [await world.phone(), await world.phone()]
    await set('message_templates', { subscription_expiring: 'tpl-1' })
    const [bound, ended] = [newSerial(), newSerial()]
    for (const [who, serial] of [
      [phone, ended],
      [phone, bound],
      [stranger, newSerial()],
    ] as const)
      await bind(who, serial, { nickname: `of ${who.openid}`, mac_address: 'AA:BB' })
    await phone.call('/devices/unbind', { method: 'POST', body: { serial_number: ended } })
    for (let index = 0; index < 10; index++) await report(phone, `r-${index}`)
    await report(stranger, 'r-0')
    await phone.call('/me/message-permissions', {
      method: 'POST',
      body: { template: 'subscription_expiring' },
    })
    const purchase = await phone.buys()
    await phone.pays(purchase)
    const answer = await phone.call('/me/export')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const kept = AccountExport.parse(answer.body)
    expect(kept.profile.openid).toBe(phone.openid)
    expect(kept.orders).toMatchObject([{ out_trade_no: purchase.order.out_trade_no, status: 'paid' }])
    expect(kept.grants).toMatchObject([{ kind: 'purchase', days: 30 }])
    expect(kept.devices).toMatchObject([
      { serial_number: ended, mac_address: null, end_reason: 'unbound' },
      { serial_number: bound, mac_address: 'AA:BB', end_reason: null },
    ])
    expect(kept.reports.map(({ client_report_id }) => client_report_id).sort()).toEqual(
      Array.from({ length: 10 }, (_, index) => `r-${index}`),
    )
    expect(kept.reports[0]).toMatchObject({ summary: { heart: '72' }, measurements: [{ at: 1, value: 2 }] })
    expect(kept.message_permissions).toMatchObject([{ template: 'subscription_expiring', remaining: 1 }])
    expect(kept.sessions).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain(stranger.openid)
  })

  test('holds a page of rows at a time, and reads on when that is taken', async () => {
    const phone = await world.phone()
    for (let index = 0; index < 9; index++) await report(phone, `r-${index}`)
    const { bigReads, doors } = world.services
    const userId = await userIdOf(world, phone)
    let statements = 0
    const { pool } = doors.console
    const count = () => (statements += 1)
    pool.on('acquire', count)
    const takenAfter: number[] = []
    for await (const piece of await exportAccount({ pool, bigReads, userId }))
      if (piece.includes('"client_report_id"')) takenAfter.push(statements)
    pool.off('acquire', count)
    expect(takenAfter.map((statement) => statement - (takenAfter[0] ?? 0))).toEqual([
      0, 0, 0, 0, 1, 1, 1, 1, 2,
    ])
  })

  test('is given once an hour, however many ask at once', async () => {
    const phone = await world.phone()
    const ask = inTurn(phone, other.url)
    const answers = await Promise.all([0, 1, 2, 3].map((turn) => ask(turn, '/me/export')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429])
    const refused = await phone.call('/me/export')
    expectRefused(refused, 429, 'rate_limited')
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(3500)
    expect(seconds).toBeLessThanOrEqual(3600)
    await world.passTime({ minutes: 61 })
    expect((await phone.call('/me/export')).status).toBe(200)
  })
})

/** Every row of every table of ours, as text. */
async function everything(): Promise<string> {
  const tables = await world.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  const texts = await Promise.all(
    tables.map(({ name }) => world.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`)),
  )
  return texts
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

describe('erasure', () => {
  const me = (phone: Phone) => call(`${phone.api}/me`, { token: phone.tokens.access_token })

  test('leaves the books and nothing that says whose they are', async () => {
    await set('message_templates', { subscription_expiring: 'tpl-1' })
    const phone = await world.phone()
    await put(phone, { nickname: 'Ada Who Leaves', avatar_url: 'https://example.com/ada.png' })
    const serial = newSerial()
    await bind(phone, serial, { nickname: 'device of Ada', mac_address: 'AD:A0:AD:A0' })
    await report(phone, 'report-of-ada')
    await phone.call('/me/message-permissions', {
      method: 'POST',
      body: { template: 'subscription_expiring' },
    })
    const purchase = await phone.buys()
    await phone.pays(purchase)
    const traces = [
      phone.openid,
      'Ada Who Leaves',
      'ada.png',
      'device of Ada',
      'AD:A0:AD:A0',
      'report-of-ada',
    ]
    const before = await everything()
    for (const trace of traces) expect(before).toContain(trace)

    expect(await erase(phone)).toMatchObject({ status: 204, body: '' })

    const after = await everything()
    for (const trace of traces) expect([trace, after.includes(trace)]).toEqual([trace, false])
    const [order] = await world.query(
      `SELECT o.status, o.amount_fen, left(o.payer_openid, 7) AS payer, octet_length(n.body) AS bytes,
         left(n.payload #>> '{payer,openid}', 7) AS notified, n.outcome
       FROM orders o JOIN notifications n USING (out_trade_no) WHERE out_trade_no = $1`,
      [purchase.order.out_trade_no],
    )
    expect(order).toEqual({
      status: 'paid',
      amount_fen: 2900,
      payer: 'erased:',
      bytes: 0,
      notified: 'erased:',
      outcome: 'applied',
    })
    expect(await world.query('SELECT end_reason FROM bindings WHERE serial_number = $1', [serial])).toEqual([
      { end_reason: 'erased' },
    ])
    expectRefused(await me(phone), 401, 'unauthenticated')
    expectRefused(await erase(phone), 401, 'unauthenticated')
    const refresh = { method: 'POST', body: { refresh_token: phone.tokens.refresh_token } }
    expectRefused(await call(`${phone.api}/auth/refresh`, refresh), 401, 'invalid_refresh_token')
    const late = world.platform.notification(purchase.order.out_trade_no, { id: 'EV-after-erasure' })
    const delivered = await fetch(`${phone.api}/payment/notify`, { method: 'POST', ...late })
    expect(delivered.status).toBe(204)
    expect(await everything()).not.toContain(phone.openid)
  })

  test('a login afterwards is a new person, who may be erased again', async () => {
    const phone = await world.phone()
    const first = (await me(phone)).body
    await erase(phone)
    const again = await world.phone(phone.openid)
    expect((await me(again)).body).not.toEqual(first)
    expect((await again.subscription()).is_active).toBe(false)
    expect((await erase(again)).status).toBe(204)
    expect(
      await world.query(
        `SELECT count(*)::int AS rows, count(DISTINCT openid_mac)::int AS marks FROM users
         WHERE openid_mac = (SELECT openid_mac FROM users WHERE id = $1)`,
        [Object(first).id],
      ),
    ).toEqual([{ rows: 2, marks: 1 }])
  })

  test('a used trial still counts for who comes back', async () => {
    await set('trial_days_on_first_binding', 7)
    const phone = await world.phone()
    await bindWithProof(phone, await plantWearable(world))
    expect((await phone.subscription()).remaining_days).toBe(7)
    await erase(phone)
    const again = await world.phone(phone.openid)
    expect((await bindWithProof(again, await plantWearable(world))).status).toBe(201)
    expect((await again.subscription()).is_active).toBe(false)
  })

  test('a ban still holds for who comes back', async () => {
    const phone = await world.phone()
    const { id } = Object((await me(phone)).body)
    await erase(phone)
    await world.query('UPDATE users SET disabled_at = business_now() WHERE id = $1', [id])
    const logIn = () =>
      call(`${phone.api}/auth/login`, {
        method: 'POST',
        body: { code: world.platform.loginCode(phone.openid) },
      })
    expectRefused(await logIn(), 403, 'user_disabled')
    expect(await everything()).not.toContain(phone.openid)
    await world.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [id])
    expect((await logIn()).status).toBe(200)
  })

  test('waits for unpaid orders and open refunds', async () => {
    const phone = await world.phone()
    const purchase = await phone.buys()
    expectRefused(await erase(phone), 409, 'erasure_blocked')
    await phone.pays(purchase)
    await world.query(
      `INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, requested_by)
       SELECT 'R' || substr(out_trade_no, 2), id, 100, 'other', gen_random_uuid() FROM orders WHERE out_trade_no = $1`,
      [purchase.order.out_trade_no],
    )
    expectRefused(await erase(phone), 409, 'erasure_blocked')
    await world.query(`UPDATE refunds SET status = 'rejected' WHERE out_refund_no = $1`, [
      `R${purchase.order.out_trade_no.slice(1)}`,
    ])
    expect((await erase(phone)).status).toBe(204)
  })

  test('takes the word DELETE and a fresh code of the same person', async () => {
    const [phone, stranger] = [await world.phone(), await world.phone()]
    expectRefused(await erase(phone, { confirm: 'delete' }), 400, 'invalid_request')
    expectRefused(await erase(phone, { code: 'no such code' }), 401, 'invalid_login_code')
    const codeOfStranger = world.platform.loginCode(stranger.openid)
    expectRefused(await erase(phone, { code: codeOfStranger }), 401, 'invalid_login_code')
    expectRefused(await phone.call('/me', { method: 'DELETE' }), 400, 'invalid_request')
    expect((await me(phone)).status).toBe(200)
  })

  test.each([
    ['with a key', 'while-erased'],
    ['without a key', undefined],
  ])(
    'of who is buying %s at that moment: nobody is signed in any more, nothing is sold',
    async (_how, key) => {
      const phone = await world.phone()
      const { id } = Object((await me(phone)).body)
      const erasing = await world.services.database.pool.connect()
      await erasing.query('BEGIN')
      await erasing.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [id])
      await erasing.query('UPDATE users SET erased_at = business_now() WHERE id = $1', [id])
      const bought = phone.purchaseAnswer('monthly', key)
      await untilWaiting(world, 1)
      await erasing.query('COMMIT')
      erasing.release()
      expectRefused(await bought, 401, 'unauthenticated')
      expect(await world.query('SELECT FROM orders WHERE user_id = $1', [id])).toEqual([])
    },
  )

  test('many at once erase once, and a purchase at the same time leaves no identity behind', async () => {
    for (let round = 0; round < 3; round++) {
      const phone = await world.phone()
      const ask = inTurn(phone, other.url)
      const codes = [0, 1, 2, 3].map(() => world.platform.loginCode(phone.openid))
      const [bought, ...answers] = await Promise.all([
        phone.purchaseAnswer('monthly', `at-once-${round}`),
        ...codes.map((code, turn) =>
          ask(turn, '/me', { method: 'DELETE', body: { confirm: 'DELETE', code } }),
        ),
      ])
      const statuses = new Set(answers.map(({ status }) => status))
      if (bought.status === 201) expect(statuses).toEqual(new Set([409]))
      else {
        expect([...statuses].sort()).toEqual([204, 401])
        expect(await everything()).not.toContain(phone.openid)
      }
    }
  })
})

test('while logins are not configured, an account cannot be erased', async () => {
  await using closed = await openTestWorld()
  const phone = await closed.phone()
  const app = await secondInstance({ ...closed, config: { ...closed.config, login: null } })
  const answer = await phone.callAt(`${app.url}/api/v1`, '/me', {
    method: 'DELETE',
    body: { confirm: 'DELETE', code: 'any' },
  })
  await app[Symbol.asyncDispose]()
  expectRefused(answer, 503, 'login_not_configured')
})
