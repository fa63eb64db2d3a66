import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requireAskerOf } from '../../src/approvals/eligibility.ts'
import { recordChange } from '../../src/operators/record-change.ts'
import { changeDays, decideGrantRequest } from '../../src/subscriptions/change-days.ts'
import { enrol, hire, idOf } from '../world/console.ts'
import { somebody } from '../world/somebody.ts'
import { stopClock } from '../world/stop-clock.ts'
import { useTestWorld } from '../world/use-opened.ts'

const names = ['boss', 'middle', 'last', 'colleague'] as const
type Name = (typeof names)[number] | 'bare'

const world = useTestWorld()
const ids = new Map<Name, string>()
/** When the test at hand begins; each begins ten days after the one before. */
let start = 0

const hourMs = 3_600_000
const emailOf = (name: Name) => `${name}@example.com`
const actorOf = (name: Name) => ({
  operatorId: ids.get(name) ?? '',
  from: { address: '203.0.113.7', userAgent: 'test', requestId: 'second-person' },
})
const prisma = () => world.services.database.prisma
/** Holds the clock so many hours and milliseconds after the beginning of the test. */
const holdAt = (hours: number, ms = 0) =>
  stopClock(world, new Date(start + hours * hourMs + ms).toISOString())

beforeAll(async () => {
  for (const name of names) await hire(world, { email: emailOf(name) })
  await hire(world, { email: emailOf('bare'), enrolled: false })
  for (const name of [...names, 'bare'] as const) ids.set(name, await idOf(world, emailOf(name)))
  start = Math.floor(world.services.runtime.now().getTime() / 1000) * 1000
})
beforeEach(async () => {
  start += 240 * hourMs
  await holdAt(0)
})

/** An owner gives another account a role: it is as good as made by them. */
const changes = (who: Name, whom: Name) =>
  recordChange(prisma(), { operatorId: ids.get(whom) ?? '', kind: 'role' }, actorOf(who))

/** Asks for more days than one person may give, for a new customer; answers the request. */
async function asks(who: Name): Promise<string> {
  const { userId } = await somebody(world)
  const order = { userId, days: 60, reason: 'a large gift', entries: 0 }
  expect(await changeDays(prisma(), order, actorOf(who))).toBe('requested')
  const [asked] = await world.query<{ id: string }>('SELECT id FROM grant_requests ORDER BY id DESC LIMIT 1')
  return asked?.id ?? ''
}
const approves = (who: Name, id: string) =>
  decideGrantRequest(prisma(), { id, verdict: 'approve' }, actorOf(who))
const stateOf = async (id: string) =>
  (await world.query<{ state: string }>('SELECT state::text FROM grant_requests WHERE id = $1', [id]))[0]
    ?.state
const tooNew = { code: 'account_too_new' }
const notSecond = { code: 'second_person_required' }

describe('an account that was changed', () => {
  test('asks again from the instant when its day is over, and not a millisecond before', async () => {
    await changes('colleague', 'boss')
    const { pool } = world.services.database
    const mayAsk = (name: Name) => requireAskerOf(pool, ids.get(name) ?? '')
    await holdAt(24, -1)
    await expect(asks('boss')).rejects.toMatchObject(tooNew)
    await expect(mayAsk('boss')).rejects.toMatchObject(tooNew)
    await mayAsk('colleague')
    await asks('middle')
    await holdAt(24)
    await mayAsk('boss')
    await asks('boss')
  })

  test('approves again from that instant', async () => {
    const id = await asks('boss')
    await changes('colleague', 'last')
    await holdAt(24, -1)
    await expect(approves('last', id)).rejects.toMatchObject(tooNew)
    expect(await stateOf(id)).toBe('requested')
    await holdAt(24)
    await approves('last', id)
    expect(await stateOf(id)).toBe('approved')
  })
})

describe('whom who asks has made', () => {
  /** Decides at this hour nothing that was asked for within the day, and what was asked for at its end. */
  async function expectDayToCount(decidedAt: number): Promise<{ early: string }> {
    await holdAt(24, -1)
    const early = await asks('boss')
    await holdAt(24)
    const late = await asks('boss')
    await holdAt(decidedAt)
    await expect(approves('last', early)).rejects.toMatchObject(notSecond)
    await approves('last', late)
    expect(await Promise.all([stateOf(early), stateOf(late)])).toEqual(['requested', 'approved'])
    return { early }
  }

  test('decides nothing that was asked for within the day, and what was asked for at its end', async () => {
    await changes('boss', 'last')
    const { early } = await expectDayToCount(72)
    await approves('colleague', early)
  })

  test('makes nobody either who decides it, until the day of the one between is over', async () => {
    await changes('boss', 'middle')
    await holdAt(1)
    await changes('middle', 'last')
    await expectDayToCount(26)
  })

  test('decides what somebody else asks for, and is decided by whom somebody else has made', async () => {
    await changes('boss', 'last')
    await holdAt(1)
    const [ofColleague, ofBoss] = [await asks('colleague'), await asks('boss')]
    await changes('colleague', 'middle')
    await holdAt(48)
    await approves('last', ofColleague)
    await approves('middle', ofBoss)
    expect(await Promise.all([stateOf(ofColleague), stateOf(ofBoss)])).toEqual(['approved', 'approved'])
  })
})

describe('the factor of who approves', () => {
  test('is older than the request, by a millisecond at least', async () => {
    await enrol(world, emailOf('last'), 0)
    const together = await asks('boss')
    await holdAt(0, 1)
    const after = await asks('boss')
    await holdAt(48)
    await expect(approves('last', together)).rejects.toMatchObject(tooNew)
    await approves('last', after)
    expect(await Promise.all([stateOf(together), stateOf(after)])).toEqual(['requested', 'approved'])
  })

  test('is there: without one nobody approves', async () => {
    const id = await asks('boss')
    await expect(approves('bare', id)).rejects.toMatchObject(tooNew)
    expect(await stateOf(id)).toBe('requested')
  })

  test('makes nobody a second person for what they asked for themselves', async () => {
    const id = await asks('boss')
    await holdAt(240, -1)
    await expect(approves('boss', id)).rejects.toMatchObject(notSecond)
    expect(await stateOf(id)).toBe('requested')
  })
})
