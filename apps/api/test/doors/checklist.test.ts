import { describe, expect, test } from 'vitest'
import { sweepOrder } from '../../src/payments/sweep-order.ts'
import { idOf, problemOf, signedInConsole } from '../world/console.ts'
import { payInSilence } from '../world/pay-in-silence.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { openTestWorld } from '../world/test-world.ts'

type Shown = { steps: readonly { name: string; isDone: boolean; doneAt: Date | null }[] }

const ticked = ({ steps }: Shown) => steps.filter(({ isDone }) => isDone).map(({ name }) => name)

describe('the checklist of a new installation', () => {
  test('ticks each step by its fact and by nothing else, for a viewer too', async () => {
    await using world = await openTestWorld({ virtual: 'off' })
    const { console } = await signedInConsole(world, { email: 'viewer@example.com', role: 'viewer' })
    const show = () => console.checklist.show.query()
    const empty = await show()
    expect(empty.platform).toBe('sandbox')
    expect(empty.phoneUrl).toBe(new URL(world.config.payments?.baseUrl ?? '').origin)
    expect(empty.steps.map(({ name }) => name)).toEqual([
      'user',
      'sale',
      'healed',
      'refund',
      'second_person',
      'plans',
      'alarms',
      'backup',
    ])
    expect(ticked(empty)).toEqual([])
    expect(Object.keys(empty).sort()).toEqual(['hiddenFor', 'phoneUrl', 'platform', 'readAt', 'steps'])

    const phone = await world.phone()
    const purchase = await phone.buys()
    expect(ticked(await show())).toEqual(['user'])

    await phone.pays(purchase)
    expect(ticked(await show())).toEqual(['user', 'sale'])

    const { outTradeNo } = await payInSilence(world)
    expect(ticked(await show())).toEqual(['user', 'sale'])
    await sweepOrder(world.services, { outTradeNo, attempt: 0 })
    expect(ticked(await show())).toEqual(['user', 'sale', 'healed'])

    await signedInConsole(world, { email: 'finance@example.com', role: 'finance' })
    const asked = { outTradeNo, amountFen: 2900, operatorId: await idOf(world, 'finance@example.com') }
    await refundToItsEnd(world, asked)
    expect(ticked(await show())).toEqual(['user', 'sale', 'healed', 'refund'])

    await signedInConsole(world, { email: 'operator@example.com', role: 'operator' })
    expect(ticked(await show())).not.toContain('second_person')
    await signedInConsole(world, { email: 'owner@example.com' })
    expect(ticked(await show())).toContain('second_person')

    await world.query(
      `UPDATE plans SET name = 'Month', updated_at = business_now() + interval '1 second' WHERE code = 'monthly'`,
    )
    expect(ticked(await show())).toContain('plans')

    await world.query(
      `INSERT INTO alert_channels (id, kind, host, position) VALUES ('0123456789abcdef', 'wecom', 'robot.example.com', 0)`,
    )
    expect(ticked(await show())).not.toContain('alarms')
    await world.query('UPDATE alert_channels SET last_success_at = business_now()')
    expect(ticked(await show())).toContain('alarms')

    await world.query('INSERT INTO backups (finished_at, bytes) VALUES (business_now(), 1)')
    expect(ticked(await show())).not.toContain('backup')
    await world.query('UPDATE backups SET verified_at = business_now()')
    const full = await show()
    expect(ticked(full)).toEqual(full.steps.map(({ name }) => name))
    for (const { doneAt } of full.steps) expect(doneAt).toBeInstanceOf(Date)
  })

  test('counts a second person from when account and factor are old enough, and no more once they have left', async () => {
    await using world = await openTestWorld()
    const { console } = await signedInConsole(world, { email: 'owner@example.com' })
    const secondPerson = async () =>
      (await console.checklist.show.query()).steps.find(({ name }) => name === 'second_person')
    await signedInConsole(world, { email: 'finance@example.com', role: 'finance' })
    expect(await secondPerson()).toMatchObject({ isDone: true })
    const id = await idOf(world, 'finance@example.com')
    await world.query(
      `INSERT INTO operator_changes (operator_id, kind, counts_at)
       VALUES ($1, 'role', business_now() + interval '1 day')`,
      [id],
    )
    expect(await secondPerson()).toEqual({ name: 'second_person', isDone: false, doneAt: null })
    await world.passTime({ days: 1, seconds: 1 })
    const later = await signedInConsole(world, { email: 'second-owner@example.com' })
    const shown = await later.console.checklist.show.query()
    expect(ticked(shown)).toContain('second_person')
    await world.query(
      `UPDATE operators SET disabled_at = business_now() WHERE email <> 'second-owner@example.com'`,
    )
    expect(ticked(await later.console.checklist.show.query())).not.toContain('second_person')
  })

  test('where virtual payment is configured, prices are gone over once a plan on sale has an item', async () => {
    await using world = await openTestWorld()
    const { console } = await signedInConsole(world, { email: 'owner@example.com' })
    await world.query(
      `UPDATE plans SET virtual_product_id = NULL, updated_at = business_now() + interval '1 second'`,
    )
    expect(ticked(await console.checklist.show.query())).not.toContain('plans')
    await world.query(`UPDATE plans SET virtual_product_id = 'monthly' WHERE code = 'monthly'`)
    expect(ticked(await console.checklist.show.query())).toContain('plans')
  })

  test('outside a sandbox it begins with the credentials, has no phone page and asks nobody to lose a notification', async () => {
    await using world = await openTestWorld({ payments: 'off' })
    const { console } = await signedInConsole(world, { email: 'viewer@example.com', role: 'viewer' })
    const shown = await console.checklist.show.query()
    expect(shown).toMatchObject({ platform: 'off', phoneUrl: null })
    expect(shown.steps.map(({ name }) => name)).toEqual([
      'credentials',
      'plans',
      'second_person',
      'alarms',
      'backup',
      'user',
      'sale',
      'refund',
    ])
    expect(ticked(shown)).toEqual([])
  })

  test('is hidden by each for themselves, by an owner for all, and put back', async () => {
    await using world = await openTestWorld()
    const { console: viewer } = await signedInConsole(world, { email: 'viewer@example.com', role: 'viewer' })
    const { console: owner } = await signedInConsole(world, { email: 'owner@example.com' })
    const hidden = async () => [
      (await viewer.checklist.show.query()).hiddenFor,
      (await owner.checklist.show.query()).hiddenFor,
    ]
    expect(await hidden()).toEqual(['nobody', 'nobody'])
    expect(await viewer.checklist.hide.mutate()).toMatchObject({ hiddenFor: 'me' })
    expect(await hidden()).toEqual(['me', 'nobody'])
    expect(await problemOf(viewer.checklist.hideForAll.mutate())).toBe('forbidden')
    await owner.checklist.hideForAll.mutate()
    expect(await hidden()).toEqual(['everybody', 'everybody'])
    expect(await problemOf(viewer.checklist.restoreForAll.mutate())).toBe('forbidden')
    await owner.checklist.restoreForAll.mutate()
    expect(await hidden()).toEqual(['me', 'nobody'])
    expect(await viewer.checklist.restore.mutate()).toMatchObject({ hiddenFor: 'nobody' })
    const acts = await world.query(
      `SELECT action, after->>'audience' AS audience FROM audit_entries WHERE action LIKE 'checklist.%' ORDER BY id`,
    )
    expect(acts).toEqual([
      { action: 'checklist.hide', audience: 'me' },
      { action: 'checklist.hide', audience: 'everybody' },
      { action: 'checklist.show', audience: 'everybody' },
      { action: 'checklist.show', audience: 'me' },
    ])
  })
})
