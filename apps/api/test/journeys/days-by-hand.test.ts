import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { changeDays, decideGrantRequest, previewDays } from '../../src/subscriptions/change-days.ts'
import { hire, idOf } from '../world/console.ts'
import { setSetting } from '../world/set-setting.ts'
import { somebody } from '../world/somebody.ts'
import { stopClock } from '../world/stop-clock.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let one: string
let other: string
/** The first instant of the next month in China. */
let month: number

const dayMs = 86_400_000
const prisma = () => world.services.database.prisma
const from = { address: '203.0.113.7', userAgent: 'test', requestId: 'days-by-hand' }
/** Holds the clock so long after the first instant of the month. */
const holdAt = (ms: number) => stopClock(world, new Date(month + ms).toISOString())
const after = (days: number, ms = 0) => new Date(month + days * dayMs + ms)

beforeAll(async () => {
  for (const name of ['one', 'other']) await hire(world, { email: `${name}@example.com`, role: 'operator' })
  one = await idOf(world, 'one@example.com')
  other = await idOf(world, 'other@example.com')
  const [next] = await world.query<{ begins: Date }>(
    `SELECT (date_trunc('month', business_now() AT TIME ZONE 'Asia/Shanghai') + interval '1 month')
       AT TIME ZONE 'Asia/Shanghai' AS begins`,
  )
  month = next?.begins.getTime() ?? 0
})

const look = (userId: string, days: number) => previewDays(prisma(), { userId, days })
/** Looks and does, as the dialog does. */
async function change(userId: string, days: number, operatorId = one) {
  const { entries } = await look(userId, days)
  const order = { userId, days, reason: `${days} days`, entries }
  return changeDays(prisma(), order, { operatorId, from })
}
/** Asks for more days than one person may give; answers the request. */
async function ask(userId: string, days: number): Promise<string> {
  expect(await change(userId, days)).toBe('requested')
  const [asked] = await world.query<{ id: string }>('SELECT id FROM grant_requests WHERE user_id = $1', [
    userId,
  ])
  return asked?.id ?? ''
}
const decide = (id: string, verdict: 'approve' | 'reject', operatorId = other) =>
  decideGrantRequest(prisma(), { id, verdict }, { operatorId, from })

const ledgerOf = (userId: string) =>
  world.query(
    `SELECT seq, kind::text, operator_id AS by, reason, days, effective_at AS at, expires_before AS before,
       expires_after AS after FROM grants WHERE user_id = $1 ORDER BY seq`,
    [userId],
  )
const requestsOf = (userId: string) =>
  world.query(
    `SELECT days, reason, state::text, requested_by AS asker, decided_by AS decider, decided_at AS at
     FROM grant_requests WHERE user_id = $1 ORDER BY id`,
    [userId],
  )
const actsOf = (userId: string) =>
  world.query(
    `SELECT operator_id AS by, action, before, after FROM audit_entries
     WHERE subject_type = 'subscription' AND subject_id = $1 ORDER BY id`,
    [userId],
  )

describe('what one person has given in a month', () => {
  test('counts from its first millisecond in China on', async () => {
    const { userId } = await somebody(world)
    await holdAt(-1)
    await change(userId, 15)
    expect(await look(userId, 16)).toMatchObject({ usedThisMonth: 15, needsSecondPerson: false })
    expect((await look(userId, 17)).needsSecondPerson).toBe(true)
    await holdAt(0)
    expect(await look(userId, 31)).toMatchObject({ usedThisMonth: 0, needsSecondPerson: false })
    expect((await look(userId, 32)).needsSecondPerson).toBe(true)
    await change(userId, 20, other)
    expect(await look(userId, 11)).toMatchObject({ usedThisMonth: 20, needsSecondPerson: false })
    expect((await look(userId, 12)).needsSecondPerson).toBe(true)
  })

  test('counts apart from what was taken, and is of this customer and by hand alone', async () => {
    await holdAt(0)
    const [{ phone, userId }, neighbour] = [await somebody(world), await somebody(world)]
    await phone.pays(await phone.buys('yearly'))
    await change(neighbour.userId, 31)
    expect((await look(userId, 1)).usedThisMonth).toBe(0)
    await change(userId, 10)
    await change(userId, -20)
    await change(userId, -4)
    expect(await look(userId, -7)).toMatchObject({ usedThisMonth: 24, needsSecondPerson: false })
    expect((await look(userId, -8)).needsSecondPerson).toBe(true)
    expect(await look(userId, 21)).toMatchObject({ usedThisMonth: 10, needsSecondPerson: false })
  })
})

describe('a change is looked at before', () => {
  test('with each feature’s own end, in the order of their names', async () => {
    await holdAt(0)
    const { userId } = await somebody(world)
    const grantWith = (...features: string[]) => setSetting(world, 'granted_features', features)
    await grantWith('report_detail')
    await change(userId, 10)
    await grantWith('report_detail', 'manual_treatment')
    await holdAt(2 * dayMs)
    expect(await look(userId, 5)).toEqual({
      ...{ entries: 1, usedThisMonth: 10, needsSecondPerson: false, hasOpenRequest: false },
      ...{ expiresBefore: after(10), expiresAfter: after(15), remainingBefore: 8, remainingAfter: 13 },
      features: [
        { feature: 'manual_treatment', expiresAfter: after(7) },
        { feature: 'report_detail', expiresAfter: after(15) },
      ],
    })
    expect(await look(userId, -9)).toMatchObject({
      ...{ expiresBefore: after(10), expiresAfter: after(2), remainingBefore: 8, remainingAfter: 0 },
      features: [{ expiresAfter: after(2) }, { expiresAfter: after(2) }],
    })
  })

  test('with no days before where there never were any, and not of a customer whom nobody knows', async () => {
    await holdAt(0)
    const { userId } = await somebody(world)
    expect(await look(userId, 1)).toMatchObject({ entries: 0, expiresBefore: null, remainingBefore: 0 })
    await expect(look(randomUUID(), 1)).rejects.toMatchObject({ code: 'not_found' })
    await expect(change(randomUUID(), 1)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('one person’s days', () => {
  test('stand in the ledger and in the audit log with the ends before and after', async () => {
    await holdAt(0)
    const { userId } = await somebody(world)
    expect(await change(userId, 10)).toBe('granted')
    await holdAt(dayMs)
    expect(await change(userId, -3, other)).toBe('granted')
    const given = { days: 10, reason: '10 days' }
    const taken = { days: -3, reason: '-3 days' }
    const [at, ends] = [after(10).toISOString(), after(7).toISOString()]
    expect(await ledgerOf(userId)).toEqual([
      { ...given, seq: 1, kind: 'admin_grant', by: one, at: after(0), before: null, after: after(10) },
      { ...taken, seq: 2, kind: 'admin_grant', by: other, at: after(1), before: after(10), after: after(7) },
    ])
    const action = 'subscription.grant'
    expect(await actsOf(userId)).toEqual([
      { by: one, action, before: { expiresAt: null }, after: { ...given, expiresAt: at } },
      { by: other, action, before: { expiresAt: at }, after: { ...taken, expiresAt: ends } },
    ])
  })
})

describe('days that one person asked for', () => {
  test('are given in their name once another approves, with the ends before and after', async () => {
    await holdAt(0)
    const [{ userId }, bystander] = [await somebody(world), await somebody(world)]
    await change(userId, 20)
    const [id, waiting] = [await ask(userId, 40), await ask(bystander.userId, 50)]
    expect(await ledgerOf(bystander.userId)).toEqual([])
    expect((await look(userId, 1)).hasOpenRequest).toBe(true)
    await holdAt(dayMs)
    expect(await decide(id, 'approve')).toEqual({ userId })
    const asked = { days: 40, reason: '40 days' }
    expect(await requestsOf(userId)).toEqual([
      { ...asked, state: 'approved', asker: one, decider: other, at: after(1) },
    ])
    expect((await ledgerOf(userId)).slice(1)).toEqual([
      { ...asked, seq: 2, kind: 'admin_grant', by: one, at: after(1), before: after(20), after: after(60) },
    ])
    const before = { expiresAt: after(20).toISOString() }
    const given = { ...asked, expiresAt: after(60).toISOString(), requestedBy: one }
    expect((await actsOf(userId)).slice(1)).toEqual([
      { by: one, action: 'subscription.request_grant', before: null, after: asked },
      { by: other, action: 'grant.approve', before, after: given },
    ])
    expect(await requestsOf(bystander.userId)).toMatchObject([{ state: 'requested', decider: null }])
    await decide(waiting, 'reject')
  })

  test.each([
    ['taken back by who asked', 'grant.withdraw', () => one],
    ['rejected by another', 'grant.reject', () => other],
  ])('are not given when they are %s', async (_, action, who) => {
    await holdAt(0)
    const { userId } = await somebody(world)
    const id = await ask(userId, 40)
    await holdAt(dayMs)
    await decide(id, 'reject', who())
    expect(await requestsOf(userId)).toMatchObject([{ state: 'rejected', decider: who(), at: after(1) }])
    expect(await ledgerOf(userId)).toEqual([])
    const asked = { days: 40, reason: '40 days' }
    expect((await actsOf(userId)).slice(1)).toEqual([
      { by: who(), action, before: null, after: { ...asked, requestedBy: one } },
    ])
    expect((await look(userId, 1)).hasOpenRequest).toBe(false)
    for (const verdict of ['approve', 'reject'] as const)
      await expect(decide(id, verdict)).rejects.toMatchObject({ code: 'changed_meanwhile' })
    expect(await change(userId, 1)).toBe('granted')
  })

  test('let no others be given meanwhile, and are of this customer alone', async () => {
    await holdAt(0)
    const [{ userId }, neighbour] = [await somebody(world), await somebody(world)]
    const id = await ask(userId, -40)
    await expect(change(userId, 1)).rejects.toMatchObject({ code: 'changed_meanwhile' })
    expect(await change(neighbour.userId, 1)).toBe('granted')
    const stale = { userId: neighbour.userId, days: 1, reason: 'looked too early', entries: 0 }
    await expect(changeDays(prisma(), stale, { operatorId: one, from })).rejects.toMatchObject({
      code: 'changed_meanwhile',
    })
    await expect(decide(`${id}0`, 'approve')).rejects.toMatchObject({ code: 'not_found' })
    await decide(id, 'approve')
    expect(await ledgerOf(userId)).toMatchObject([{ days: -40, before: null, after: after(0) }])
  })
})
