import type { AlertKind } from '@meridian/contracts'
import { execute, query } from '@meridian/db'
import { describe, expect, test } from 'vitest'
import { raiseAlertSql } from '../../src/alerts/write-alert.ts'
import { followPayments } from '../../src/payments/follow-payment.ts'
import { problemOf } from '../world/console.ts'
import { payRefundedElsewhere } from '../world/parked-payments.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const operator = useConsole(world, 'operator')
const viewer = useConsole(world, 'viewer')

const raise = (kind: AlertKind, subject: string) =>
  execute(world.services.database.pool, query(null, raiseAlertSql(kind, subject, { note: 'of our own' })))
const idOf = async (subject: string) =>
  (
    await world.query<{ id: string }>('SELECT id::text FROM alerts WHERE subject = $1 ORDER BY id DESC', [
      subject,
    ])
  )[0]?.id ?? ''

describe('on the desk', () => {
  test('an alert is taken, resolved with a word, and the next of its kind opens anew', async () => {
    await raise('payment_mismatch', 'M00000000000000000000000001')
    await raise('payment_mismatch', 'M00000000000000000000000001')
    const id = await idOf('M00000000000000000000000001')
    const { items } = await viewer.alert.list.query({ kind: 'payment_mismatch' })
    expect(items).toMatchObject([
      { id, times: 2, outTradeNo: 'M00000000000000000000000001', ownerEmail: null },
    ])
    expect(await problemOf(viewer.alert.take.mutate({ id }))).toBe('forbidden')
    await operator.alert.take.mutate({ id })
    expect((await viewer.alert.list.query({ kind: 'payment_mismatch' })).items).toMatchObject([
      { ownerEmail: 'operator@example.com' },
    ])
    const word = { id, resolution: 'the price list was wrong' }
    const answers = await Promise.allSettled([
      operator.alert.resolve.mutate(word),
      operator.alert.resolve.mutate(word),
    ])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await problemOf(operator.alert.take.mutate({ id }))).toBe('changed_meanwhile')
    expect((await viewer.alert.list.query({ state: 'resolved' })).items).toMatchObject([
      { id, resolution: 'the price list was wrong', resolvedByEmail: 'operator@example.com' },
    ])
    const acts = await world.query('SELECT action FROM audit_entries WHERE subject_id = $1 ORDER BY id', [id])
    expect(acts).toEqual([{ action: 'alert.take' }, { action: 'alert.resolve' }])
    await raise('payment_mismatch', 'M00000000000000000000000001')
    expect(await idOf('M00000000000000000000000001')).not.toBe(id)
  })

  test('a payment that is parked is told, and its decision ends the alert', async () => {
    const { outTradeNo } = await payRefundedElsewhere(world)
    await followPayments(world.services.database.pool, [outTradeNo])
    const open = async () =>
      (await viewer.alert.list.query({ kind: 'order_parked' })).items.map((alert) => alert.outTradeNo)
    expect(await open()).toEqual([outTradeNo])
    const decision = {
      outTradeNo,
      parkReason: 'refunded_elsewhere',
      decision: 'leave',
      note: 'by hand',
    } as const
    await operator.order.decide.mutate(decision)
    expect(await open()).toEqual([])
  })
})
