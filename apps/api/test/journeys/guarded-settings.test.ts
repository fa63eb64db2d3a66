import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askApproval, elapseApproval, requireNothingWaits } from '../../src/approvals/approval-requests.ts'
import { recordChange } from '../../src/operators/record-change.ts'
import { changeSetting } from '../../src/settings/change-setting.ts'
import { applyDueSetting, decideSetting } from '../../src/settings/decide-setting.ts'
import { enrol, hire, idOf } from '../world/console.ts'
import { stopClock } from '../world/stop-clock.ts'
import { useTestWorld } from '../world/use-opened.ts'

type Name = 'boss' | 'second' | 'finance'
type Key = 'refund_approval_threshold_fen' | 'price_floor_fen_per_day'

const threshold = 'refund_approval_threshold_fen'
const floor = 'price_floor_fen_per_day'
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const emailOf = (name: Name) => `${name}@example.com`

const world = useTestWorld()
const ids = new Map<Name, string>()
/** When the test at hand begins, and the second owner sets up their factor; each begins ten days after the one before. */
let start = 0

const prisma = () => world.services.database.prisma
const actorOf = (name: Name) => ({
  operatorId: ids.get(name) ?? '',
  from: { address: '203.0.113.7', userAgent: 'test', requestId: 'guarded-settings' },
})
/** Holds the clock so many hours and milliseconds after the beginning of the test. */
const holdAt = (hours: number, ms = 0) =>
  stopClock(world, new Date(start + hours * hourMs + ms).toISOString())

beforeAll(async () => {
  for (const name of ['boss', 'second'] as const) await hire(world, { email: emailOf(name) })
  await hire(world, { email: emailOf('finance'), role: 'finance' })
  for (const name of ['boss', 'second', 'finance'] as const) ids.set(name, await idOf(world, emailOf(name)))
  start = Math.floor(world.services.runtime.now().getTime() / 1000) * 1000
})
beforeEach(async () => {
  start += 10 * dayMs
  await holdAt(0)
  await enrol(world, emailOf('second'), 0)
})

const read = async (key: Key) => {
  const [row] = await world.query<{ value: number; version: number }>(
    'SELECT value, version FROM settings WHERE key = $1',
    [key],
  )
  if (!row) throw new Error(`no setting ${key}`)
  return row
}
const valueNow = async (key: Key) => (await read(key)).value

type Request = { state: string; waits: number | null; decider: string | null; at: Date | null }
const requestOf = async (id: string) => {
  const [row] = await world.query<Request>(
    `SELECT state::text, (extract(epoch FROM due_at - requested_at) * 1000)::float AS waits, decided_by AS decider,
       decided_at AS at FROM approval_requests WHERE id = $1`,
    [id],
  )
  return row
}

/** The boss asks for another value; answers the request. */
async function asks(key: Key, value: number): Promise<string> {
  const { version } = await read(key)
  expect(await changeSetting(prisma(), { key, version, value }, actorOf('boss'))).toBe('waiting')
  const [asked] = await world.query<{ id: string }>(
    'SELECT id FROM approval_requests ORDER BY id DESC LIMIT 1',
  )
  return asked?.id ?? ''
}
const decide = (who: Name, id: string, approve: boolean) =>
  decideSetting(prisma(), { id, approve }, actorOf(who))
const withdraw = (id: string) => decide('boss', id, false)
const applyDue = (id: string) => applyDueSetting(prisma(), id)

/** For how long a change waits by itself when it is asked for now; null where it waits for the second owner. */
async function waitsNow(): Promise<number | null | undefined> {
  const id = await asks(threshold, 30_000)
  await withdraw(id)
  return (await requestOf(id))?.waits
}
const become = (name: Name, change: string) =>
  world.query(`UPDATE operators SET ${change} WHERE email = $1`, [emailOf(name)])

describe('a change waits for the second owner alone', () => {
  test('once their factor is more than a day old, and else for a day to the millisecond', async () => {
    await holdAt(23.5)
    expect(await waitsNow()).toBe(dayMs)
    await holdAt(24)
    expect(await waitsNow()).toBe(dayMs)
    await holdAt(24, 1)
    expect(await waitsNow()).toBeNull()
  })

  test('while they are an owner, are not disabled, and their account is not new', async () => {
    await holdAt(48)
    expect(await waitsNow()).toBeNull()
    await become('second', 'disabled_at = business_now()')
    expect(await waitsNow()).toBe(dayMs)
    await become('second', `disabled_at = NULL, role = 'operator'`)
    expect(await waitsNow()).toBe(dayMs)
    await become('second', `role = 'owner'`)
    expect(await waitsNow()).toBeNull()
    await recordChange(prisma(), { operatorId: ids.get('second') ?? '', kind: 'role' }, actorOf('finance'))
    expect(await waitsNow()).toBe(dayMs)
    await holdAt(72)
    expect(await waitsNow()).toBeNull()
  })
})

describe('a change is approved', () => {
  test('by an owner whose factor is more than a day old, and by nobody else', async () => {
    const was = await valueNow(threshold)
    await holdAt(1)
    const id = await asks(threshold, 40_000)
    for (const hours of [2, 23.5, 24]) {
      await holdAt(hours)
      await expect(decide('second', id, true)).rejects.toMatchObject({ code: 'account_too_new' })
    }
    await holdAt(24, 1)
    await expect(decide('finance', id, true)).rejects.toMatchObject({ code: 'account_too_new' })
    await expect(decide('boss', id, true)).rejects.toMatchObject({ code: 'second_person_required' })
    expect(await valueNow(threshold)).toBe(was)
    await decide('second', id, true)
    expect(await valueNow(threshold)).toBe(40_000)
    expect(await requestOf(id)).toMatchObject({
      state: 'approved',
      decider: ids.get('second'),
      at: new Date(start + dayMs + 1),
    })
  })

  test('once, and the other that waits is decided by itself', async () => {
    await holdAt(48)
    const [one, other] = [await asks(threshold, 50_000), await asks(floor, 7)]
    await decide('second', one, true)
    expect((await requestOf(other))?.state).toBe('requested')
    for (const approve of [true, false])
      await expect(decide('second', one, approve)).rejects.toMatchObject({ code: 'changed_meanwhile' })
    expect((await requestOf(other))?.state).toBe('requested')
    await decide('second', other, false)
    expect(await Promise.all([requestOf(one), requestOf(other)])).toMatchObject([
      { state: 'approved' },
      { state: 'rejected', decider: ids.get('second') },
    ])
    expect(await valueNow(floor)).not.toBe(7)
  })
})

describe('a change that nobody is there to approve', () => {
  test('takes effect at the instant when it is due, by itself', async () => {
    const [one, other] = [await asks(threshold, 60_000), await asks(floor, 8)]
    await holdAt(24, -1)
    await applyDue(one)
    expect(await valueNow(threshold)).not.toBe(60_000)
    await holdAt(24)
    expect(await elapseApproval(prisma(), { id: one, kind: 'plan' })).toBeNull()
    await applyDue(one)
    await applyDue(one)
    expect([await valueNow(threshold), (await requestOf(one))?.state]).toEqual([60_000, 'elapsed'])
    expect([(await valueNow(floor)) === 8, (await requestOf(other))?.state]).toEqual([false, 'requested'])
    await withdraw(other)
    await applyDue(other)
    expect((await requestOf(other))?.state).toBe('withdrawn')
  })

  test('takes no effect while who asked is disabled or no owner, though others are', async () => {
    const id = await asks(threshold, 70_000)
    await holdAt(30)
    for (const change of ['disabled_at = business_now()', `disabled_at = NULL, role = 'finance'`]) {
      await become('boss', change)
      await applyDue(id)
      expect((await requestOf(id))?.state).toBe('requested')
    }
    await become('boss', `role = 'owner'`)
    await applyDue(id)
    expect(await valueNow(threshold)).toBe(70_000)
  })
})

describe('one request waits', () => {
  const ask = (kind: 'plan' | 'diagnosis', subject: string) =>
    askApproval(prisma(), { kind, subject, before: {}, after: {}, operatorId: ids.get('boss') ?? '' })
  const waits = (kind: 'plan' | 'diagnosis', subject: string) =>
    requireNothingWaits(prisma(), { kind, subject })
  const alreadyWaiting = { code: 'already_waiting' }

  test('about one thing of one kind at a time, without an end of its own', async () => {
    expect((await ask('plan', 'one')).dueAt).toBeNull()
    await expect(ask('plan', 'one')).rejects.toMatchObject(alreadyWaiting)
    await ask('diagnosis', 'one')
    await ask('plan', 'two')
  })

  test('keeps what it is about, and nothing else, from being taken away', async () => {
    await ask('plan', 'three')
    await expect(waits('plan', 'three')).rejects.toMatchObject(alreadyWaiting)
    await waits('diagnosis', 'three')
    await waits('plan', 'four')
  })

  test('no more once it is decided, and is decided as what it is', async () => {
    const { id } = await ask('plan', 'five')
    await expect(decide('second', id, false)).rejects.toMatchObject({ code: 'changed_meanwhile' })
    expect((await requestOf(id))?.state).toBe('requested')
    const setting = await asks(threshold, 80_000)
    await withdraw(setting)
    expect(await requestOf(setting)).toMatchObject({ state: 'withdrawn', decider: ids.get('boss') })
    await requireNothingWaits(prisma(), { kind: 'setting', subject: threshold })
    await withdraw(await asks(threshold, 90_000))
  })
})
