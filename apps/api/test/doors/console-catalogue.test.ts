import { defaultProgramBounds, settingKeys } from '@meridian/contracts'
import { describe, expect, test } from 'vitest'
import { problemOf } from '../world/console.ts'
import { call } from '../world/phone.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const owner = useConsole(world, 'owner')
const finance = useConsole(world, 'finance')
const operator = useConsole(world, 'operator')
const viewer = useConsole(world, 'viewer')

const audited = (action: string) =>
  world.query<{ subject_id: string; before: unknown; after: unknown; email: string }>(
    `SELECT a.subject_id, a.before, a.after, o.email FROM audit_entries a JOIN operators o ON o.id = a.operator_id
     WHERE a.action = $1 ORDER BY a.id DESC`,
    [action],
  )

const text = {
  name: '半年会员',
  description: '180 天全部功能',
  durationDays: 180,
  features: ['report_detail'],
  badge: null,
  sortOrder: 5,
  onSale: true,
}

describe('plans', () => {
  const price = async (code: string) => {
    const { body } = await call(`${world.url}/api/v1/subscription/plans`)
    return Object(body).plans.find((plan: { code: string }) => plan.code === code)?.price_fen
  }

  test('a new plan is on sale at once, and its code is taken from then on', async () => {
    const sheet = await finance.plan.create.mutate({
      code: 'half',
      ...text,
      priceFen: 14900,
      listPriceFen: 17400,
    })
    expect(sheet.plan).toMatchObject({ code: 'half', ...text, priceFen: 14900, listPriceFen: 17400 })
    expect(await price('half')).toBe(14900)
    expect(
      await problemOf(
        owner.plan.create.mutate({ code: 'half', ...text, priceFen: 14900, listPriceFen: null }),
      ),
    ).toBe('code_taken')
    expect(await audited('plan.create')).toMatchObject([
      { subject_id: 'half', email: 'finance@example.com', after: { code: 'half', priceFen: 14900 } },
    ])
  })

  test('an edit changes everything but the code and the price, and says before and after in the audit', async () => {
    const { plan } = await viewer.plan.detail.query({ code: 'monthly' })
    const sheet = await finance.plan.edit.mutate({ ...plan, ...text, durationDays: 45, onSale: false })
    expect(sheet.plan).toMatchObject({
      ...text,
      durationDays: 45,
      onSale: false,
      code: 'monthly',
      priceFen: 2900,
    })
    expect(await price('monthly')).toBeUndefined()
    expect((await audited('plan.edit'))[0]).toMatchObject({
      subject_id: 'monthly',
      before: { name: '月度会员', onSale: true },
      after: { name: '半年会员', onSale: false },
    })
    const again = { ...sheet.plan, name: plan.name, durationDays: 30, onSale: true }
    expect((await finance.plan.edit.mutate(again)).plan.onSale).toBe(true)
  })

  test('the English of a plan is edited beside the Chinese, moves no price, and stays where nothing is said of it', async () => {
    const { plan } = await finance.plan.detail.query({ code: 'monthly' })
    const english = { nameEn: 'Monthly membership', descriptionEn: null, badgeEn: 'New' }
    const edited = await finance.plan.edit.mutate({ ...plan, ...english })
    expect(edited.plan).toMatchObject({ name: plan.name, ...english })
    expect(edited.priceChanges).toEqual((await finance.plan.detail.query({ code: 'monthly' })).priceChanges)
    expect((await audited('plan.edit'))[0]).toMatchObject({
      before: { nameEn: 'Monthly plan', descriptionEn: 'All features for 30 days', badgeEn: null },
      after: english,
    })
    const { nameEn: _name, descriptionEn: _description, badgeEn: _badge, ...silent } = edited.plan
    expect((await finance.plan.edit.mutate(silent)).plan).toMatchObject(english)
  })

  test('an order keeps the name it was sold under, whatever language the client speaks', async () => {
    const phone = await world.phone()
    const { order } = await phone.buys('monthly')
    expect(order.plan.name).toBe('月度会员')
  })

  test('a price is changed from what the editor saw to what they want, and its history says who', async () => {
    const { plan } = await finance.plan.detail.query({ code: 'quarterly' })
    const wanted = { code: 'quarterly', updatedAt: plan.updatedAt, priceFen: 6900, listPriceFen: 7900 }
    const { priceChanges } = await finance.plan.changePrice.mutate(wanted)
    expect(priceChanges).toEqual([
      {
        id: expect.any(String),
        fromFen: 7900,
        toFen: 6900,
        fromDays: 90,
        toDays: 90,
        operatorEmail: 'finance@example.com',
        changedAt: expect.any(Date),
      },
    ])
    expect(await price('quarterly')).toBe(6900)
    expect((await audited('plan.change_price'))[0]).toMatchObject({
      before: { priceFen: 7900, listPriceFen: null },
      after: { priceFen: 6900, listPriceFen: 7900 },
    })
  })

  test('a phone that still shows the old price is told so, and what it bought before keeps its own', async () => {
    const phone = await world.phone()
    const bought = await phone.buys('yearly')
    const { plan } = await owner.plan.detail.query({ code: 'yearly' })
    await owner.plan.changePrice.mutate({ ...plan, priceFen: 25800 })
    const answer = await phone.purchaseAnswer('yearly', 'new-price', { expected_amount_fen: 26800 })
    expect([answer.status, Object(answer.body).code]).toEqual([409, 'price_changed'])
    expect((await phone.order(bought.order.out_trade_no)).amount_fen).toBe(26800)
  })

  test('of ten editors at once one wins; the others learn that it changed meanwhile', async () => {
    const { plan } = await finance.plan.detail.query({ code: 'half' })
    const edits = Array.from({ length: 10 }, (_, n) =>
      finance.plan.changePrice.mutate({ ...plan, priceFen: 10_000 + n }).then(
        () => 'won',
        () => problemOf(finance.plan.changePrice.mutate({ ...plan, priceFen: 10_000 + n })),
      ),
    )
    expect((await Promise.all(edits)).sort()).toEqual([...Array(9).fill('changed_meanwhile'), 'won'])
    expect((await finance.plan.detail.query({ code: 'half' })).priceChanges).toHaveLength(1)
  })

  test.each([
    ['a price of nothing', { priceFen: 0 }],
    ['a price beyond a million yuan', { priceFen: 100_000_001 }],
    ['a struck-through price of nothing', { listPriceFen: 0 }],
    ['half a fen', { priceFen: 1.5 }],
  ])('%s is refused', async (_what, changes) => {
    const { plan } = await finance.plan.detail.query({ code: 'half' })
    expect(await problemOf(finance.plan.changePrice.mutate({ ...plan, ...changes }))).toBe('invalid_request')
  })

  test.each([
    ['no day', { durationDays: 0 }],
    ['more than ten years', { durationDays: 3661 }],
    ['no name', { name: ' ' }],
    ['an English name of blanks', { nameEn: ' ' }],
    ['an English name of two lines', { nameEn: 'Yearly\nplan' }],
    ['a name the platform would refuse to sell', { name: '年度会员 🎉' }],
    ['half a character in its name', { name: '年度会员\ud83c' }],
    ['a name of two lines', { name: '年度\n会员' }],
    ['a feature twice', { features: ['a', 'a'] }],
  ])('a plan with %s is refused', async (_what, changes) => {
    const { plan } = await finance.plan.detail.query({ code: 'half' })
    expect(await problemOf(finance.plan.edit.mutate({ ...plan, ...changes }))).toBe('invalid_request')
  })

  test.each(['Monthly', 'a b', '-a', ''])('the code "%s" is refused', async (code) => {
    const plan = { code, ...text, priceFen: 1, listPriceFen: null }
    expect(await problemOf(finance.plan.create.mutate(plan))).toBe('invalid_request')
  })

  test('everybody reads them; a viewer and an operator change nothing', async () => {
    const { items } = await viewer.plan.catalogue.query()
    expect(items.map(({ code }) => code)).toContain('monthly')
    const { plan } = await viewer.plan.detail.query({ code: 'monthly' })
    for (const who of [viewer, operator])
      for (const attempt of [
        () => who.plan.edit.mutate(plan),
        () => who.plan.changePrice.mutate(plan),
        () => who.plan.create.mutate({ ...plan, code: 'mine' }),
      ])
        expect(await problemOf(attempt())).toBe('forbidden')
    expect(await problemOf(viewer.plan.detail.query({ code: 'none' }))).toBe('plan_not_found')
  })
})

describe('settings', () => {
  const current = async (key: string) => {
    const setting = (await owner.setting.list.query()).items.find((one) => one.key === key)
    if (!setting) throw new Error(`no setting ${key}`)
    return setting
  }

  test('are exactly those of the installation, each with its default', async () => {
    const { items } = await viewer.setting.list.query()
    expect(items.map(({ key }) => key)).toEqual(settingKeys)
    const everywhere = { channel: 'jsapi', allowed: true, message: null }
    expect(Object.fromEntries(items.map(({ key, value }) => [key, value]))).toEqual({
      order_ttl_minutes: 30,
      late_payment_policy: 'activate',
      refund_approval_threshold_fen: 20000,
      price_floor_fen_per_day: 10,
      sale_policy: { ios: everywhere, android: everywhere, other: everywhere },
      ios_refund_opinion: 'by_use',
      free_features: [],
      granted_features: ['report_detail', 'manual_treatment'],
      trial_days_on_first_binding: 0,
      max_devices_per_user: 5,
      device_registration: 'open',
      reports_per_user: 2000,
      upload_shipping_info: false,
      message_templates: {},
      expiry_reminder_days: [7, 1],
      program_bounds: defaultProgramBounds,
      support_contact: '',
      company_name: '',
      company_tax_id: '',
      weekly_digest: true,
    })
    const { rows } = await world.services.database.pool.query('SELECT key FROM settings')
    expect(rows.map(({ key }) => key).sort()).toEqual([...settingKeys].sort())
  })

  test('a change holds from the next purchase on, and its history says who, before and after', async () => {
    const { version } = await current('order_ttl_minutes')
    const { items } = await owner.setting.change.mutate({ key: 'order_ttl_minutes', version, value: 10 })
    expect(items.find(({ key }) => key === 'order_ttl_minutes')).toMatchObject({
      value: 10,
      version: version + 1,
      updatedBy: 'owner@example.com',
    })
    const { order } = await (await world.phone()).buys('half')
    expect(Math.round((Date.parse(order.expires_at) - Date.parse(order.created_at)) / 60_000)).toBe(10)
    expect((await viewer.setting.history.query({ key: 'order_ttl_minutes' })).items).toEqual([
      {
        version: version + 1,
        before: 30,
        after: 10,
        operatorEmail: 'owner@example.com',
        changedAt: expect.any(Date),
      },
    ])
    expect((await audited('setting.change'))[0]).toMatchObject({
      subject_id: 'order_ttl_minutes',
      before: { version, value: 30 },
      after: { version: version + 1, value: 10 },
    })
  })

  test('an old value is given back by another change', async () => {
    const { version, value } = await current('order_ttl_minutes')
    const [last] = (await owner.setting.history.query({ key: 'order_ttl_minutes' })).items
    await owner.setting.change.mutate({ key: 'order_ttl_minutes', version, value: last?.before ?? null })
    expect(await current('order_ttl_minutes')).toMatchObject({ value: 30, version: version + 1 })
    expect((await owner.setting.history.query({ key: 'order_ttl_minutes' })).items[0]).toMatchObject({
      before: value,
      after: 30,
    })
  })

  test('the sale policy reaches the phone at once', async () => {
    const { version, value } = await current('sale_policy')
    const closed = { allowed: false, message: 'iOS 暂不支持购买' }
    const policy = { ...Object(value), ios: closed }
    await owner.setting.change.mutate({ key: 'sale_policy', version, value: policy })
    const headers = { 'x-client-platform': 'ios' }
    const { body } = await call(`${world.url}/api/v1/subscription/plans`, { headers })
    expect(body).toMatchObject({ sale: closed })
    const phone = await world.phone()
    const answer = await phone.call('/subscription/purchase', {
      method: 'POST',
      body: { plan_code: 'half' },
      headers,
    })
    expect([answer.status, Object(answer.body).code]).toEqual([403, 'sale_not_allowed'])
    expect((await phone.purchaseAnswer('half')).status).toBe(201)
  })

  test('of ten editors at once one wins', async () => {
    const { version } = await current('reports_per_user')
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        owner.setting.change.mutate({ key: 'reports_per_user', version, value: 100 + n }),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await problemOf(owner.setting.change.mutate({ key: 'reports_per_user', version, value: 1 }))).toBe(
      'changed_meanwhile',
    )
    expect((await owner.setting.history.query({ key: 'reports_per_user' })).items).toHaveLength(1)
  })

  test.each([
    ['order_ttl_minutes', 4],
    ['order_ttl_minutes', 121],
    ['order_ttl_minutes', '30'],
    ['late_payment_policy', 'keep'],
    ['refund_approval_threshold_fen', -1],
    ['sale_policy', { ios: { allowed: true, message: null } }],
    ['free_features', ['Not A Feature']],
    ['granted_features', ['report_detail', 'report_detail']],
    ['trial_days_on_first_binding', 366],
    ['max_devices_per_user', 0],
    ['device_registration', 'closed'],
    ['reports_per_user', 1.5],
    ['upload_shipping_info', 'yes'],
    ['message_templates', { 'Expiry Reminder': 'x' }],
    ['expiry_reminder_days', [0]],
    ['expiry_reminder_days', [7, 7]],
    ['support_contact', 'x'.repeat(201)],
    ['company_name', 'x'.repeat(101)],
    ['company_tax_id', 'x'.repeat(31)],
  ] as const)('%s refuses %j', async (key, value) => {
    const { version } = await current(key)
    expect(
      await problemOf(
        owner.setting.change.mutate({ key, version, value: JSON.parse(JSON.stringify(value)) }),
      ),
    ).toBe('invalid_request')
    expect((await current(key)).version).toBe(version)
  })

  test('only an owner changes them', async () => {
    for (const who of [viewer, operator, finance])
      expect(
        await problemOf(who.setting.change.mutate({ key: 'support_contact', version: 1, value: 'x' })),
      ).toBe('forbidden')
  })
})
