import { promises as dns, type LookupAddress } from 'node:dns'
import type { AlertKind } from '@meridian/contracts'
import { run } from '@meridian/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postToPublic } from '../../src/alerts/post-webhook.ts'
import { isPublicAddress, publicLookup } from '../../src/alerts/public-address.ts'
import { raisedAlert } from '../../src/alerts/raise-alert.ts'
import { maskedSubject, tellAlert } from '../../src/alerts/tell-alert.ts'
import { ConfigError, readConfig } from '../../src/config.ts'
import { followPayment } from '../../src/paid/follow-payment.ts'
import { type Console, problemOf, signedInConsole } from '../world/console.ts'
import { environmentFor, openTestWorld, type TestWorld } from '../world/test-world.ts'

let world: TestWorld
let operator: Console
let viewer: Console
const address = 'https://alerts.example.com/hook?key=very-secret'

beforeAll(async () => {
  world = await openTestWorld({ environment: { ALERT_WEBHOOK_URL: address } })
  operator = (await signedInConsole(world, { email: 'operator@example.com', role: 'operator' })).console
  viewer = (await signedInConsole(world, { email: 'viewer@example.com', role: 'viewer' })).console
})
afterAll(() => world[Symbol.asyncDispose]())

const raise = (kind: AlertKind, subject: string) =>
  run(world.services.database.pool, null, raisedAlert(kind, subject, { note: 'of our own' }))
const idOf = async (subject: string) =>
  (
    await world.query<{ id: string }>('SELECT id::text FROM alerts WHERE subject = $1 ORDER BY id DESC', [
      subject,
    ])
  )[0]?.id ?? ''
const jobsOf = (id: string) =>
  world.query('SELECT 1 FROM graphile_worker._private_jobs WHERE key = $1', [`tell:${id}`])

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
    const phone = await world.phone()
    const purchase = await phone.buys()
    const outTradeNo = purchase.order.out_trade_no
    await phone.pays(purchase, { silent: true })
    const refund = { outRefundNo: `X${outTradeNo.slice(1)}`, outTradeNo, amountFen: 2900, totalFen: 2900 }
    await world.services.payments?.requestRefund(refund)
    await world.platform.settleRefund(refund.outRefundNo)
    await phone.syncs(outTradeNo)
    await followPayment(world.services.database.pool, outTradeNo)
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

describe('outside the console', () => {
  test('a new alert is told once, a repeat of it is not', async () => {
    await raise('refund_stuck', 'R00000000000000000000000002')
    const id = await idOf('R00000000000000000000000002')
    await raise('refund_stuck', 'R00000000000000000000000002')
    expect(await jobsOf(id)).toHaveLength(1)
    const sent: { url: string; body: string }[] = []
    const post = async (url: string, body: string) => {
      sent.push({ url, body })
      return 200
    }
    await tellAlert(world.services, id, post)
    await tellAlert(world.services, id, post)
    expect(sent).toHaveLength(1)
    expect(sent[0]?.url).toBe(address)
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
      id,
      kind: 'refund_stuck',
      subject: 'R000••••0002',
    })
    expect(sent[0]?.body).not.toContain('R00000000000000000000000002')
    expect(sent[0]?.body).not.toContain('of our own')
  })

  test('an address that does not take it is tried again, and the error does not name it', async () => {
    await raise('refund_stuck', 'R00000000000000000000000003')
    const id = await idOf('R00000000000000000000000003')
    const refusal = await tellAlert(world.services, id, async () => 500).catch(String)
    expect(refusal).toBe('Error: the webhook answered 500')
    const [alert] = await world.query('SELECT told_at FROM alerts WHERE id = $1::bigint', [id])
    expect(alert).toEqual({ told_at: null })
  })

  test('numbers of orders, refunds and people are masked, days and words are not', () => {
    expect(maskedSubject('2026-11-20 trade')).toBe('2026-11-20 trade')
    expect(maskedSubject('ledger_differs 0199aaaa-0000-7000-8000-000000000001')).toBe(
      'ledger_differs 0199••••0001',
    )
  })

  test.each([
    '10.0.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'nonsense',
  ])('%s is no public address', (ip) => expect(isPublicAddress(ip)).toBe(false))

  test.each(['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111'])('%s is one', (ip) =>
    expect(isPublicAddress(ip)).toBe(true),
  )

  test('a name that leads home is refused where the connection is made', async () => {
    await expect(postToPublic('https://localhost:1/', '{}')).rejects.toMatchObject({ name: 'NotPublicError' })
    const { address: own } = await dns.lookup('localhost')
    expect(isPublicAddress(own)).toBe(false)
    const answer = await new Promise<string | LookupAddress[] | Error>((resolve) =>
      publicLookup('1.1.1.1', { all: false }, (error, found) => resolve(error ?? found)),
    )
    expect(answer).toBe('1.1.1.1')
  })

  test.each([
    'http://alerts.example.com',
    'https://127.0.0.1/hook',
    'https://[::1]/hook',
    'https://10.1.2.3',
    'https://169.254.169.254/latest',
    'https://localhost/hook',
    'https://printer.local',
    'not an address',
  ])('the setting refuses %s and does not repeat it', (url) => {
    const read = () =>
      readConfig({ ...environmentFor('postgresql://x@localhost/x', 1), ALERT_WEBHOOK_URL: url })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(/ALERT_WEBHOOK_URL: must be an? (https|public) address/)
    expect(read).not.toThrow(new RegExp(url.replace(/[[\]().*+?]/g, '.')))
  })
})
