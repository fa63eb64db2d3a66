import type { InboxItem } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { purgeExpired } from '../../src/retention/purge-expired.ts'
import { type Console, idOf, problemOf, signedInConsole } from '../world/console.ts'
import { emailOf, findItem, itemsOf, useInbox } from '../world/inbox.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const { consoles, parkedOrder, openAlert, resolveAll, releaseAll, signInAgain } = useInbox(world)
let colleague: Console

beforeAll(async () => {
  colleague = (await signedInConsole(world, { email: emailOf('colleague'), role: 'finance' })).console
})

describe('who looks after it', () => {
  test('of two who claim at once one gets it, and leaves the queue of the other', async () => {
    for (const item of [await openAlert('clock_skewed', 'api'), await parkedOrder()]) {
      const [a, b] = [await idOf(world, emailOf('finance')), await idOf(world, emailOf('colleague'))]
      const claim = (who: Console, assigneeId: string | null) =>
        who.inbox.assign.mutate({ ...item, assigneeId, seenAssigneeId: null }).then(
          () => 'done',
          async (error: unknown) => problemOf(Promise.reject(error)),
        )
      const ends = await Promise.all([claim(consoles.finance, a), claim(colleague, b)])
      expect(ends.toSorted()).toEqual(['changed_meanwhile', 'done'])
      const [winner, loser] =
        ends[0] === 'done' ? [consoles.finance, colleague] : [colleague, consoles.finance]
      expect(await findItem(winner, item, { view: 'mine' })).toBeDefined()
      expect(await findItem(winner, item, { view: 'you' })).toBeDefined()
      expect(await findItem(loser, item, { view: 'you' })).toBeUndefined()
      expect(await findItem(loser, item, { view: 'unassigned' })).toBeUndefined()
      const has = ends[0] === 'done' ? a : b
      await loser.inbox.assign.mutate({ ...item, assigneeId: null, seenAssigneeId: has })
      expect(await findItem(loser, item, { view: 'unassigned' })).toMatchObject({ assigneeId: null })
    }
    await resolveAll()
    await releaseAll()
  })

  test('nothing is given to somebody who may not act on it, by somebody who may not, or when it waits no more', async () => {
    const item = await openAlert('clock_skewed', 'api')
    const give = (who: Console, assigneeId: string) =>
      problemOf(who.inbox.assign.mutate({ ...item, assigneeId, seenAssigneeId: null }))
    expect(await give(consoles.owner, await idOf(world, emailOf('viewer')))).toBe('invalid_request')
    expect(await give(consoles.viewer, await idOf(world, emailOf('owner')))).toBe('forbidden')
    await resolveAll()
    expect(await give(consoles.owner, await idOf(world, emailOf('owner')))).toBe('changed_meanwhile')
  })

  test('colleagues are those whose role may act on it', async () => {
    const emails = async (permission: 'order.decide' | 'order.decide_late') =>
      (await consoles.owner.inbox.colleagues.query({ permission })).items.map(({ email }) => email)
    expect(await emails('order.decide')).toContain(emailOf('operator'))
    expect(await emails('order.decide_late')).not.toContain(emailOf('operator'))
    expect(await problemOf(consoles.viewer.inbox.colleagues.query({ permission: 'order.decide' }))).toBe(
      'forbidden',
    )
  })
})

const inDays = (days: number) => new Date(world.services.runtime.now().getTime() + days * 86_400_000)

describe('what is put off', () => {
  test('leaves every part but its own, and is back when the time is over', async () => {
    const item = await parkedOrder()
    await consoles.operator.inbox.snooze.mutate({ ...item, until: inDays(2) })
    expect(await findItem(consoles.owner, item)).toBeUndefined()
    expect(await findItem(consoles.owner, item, { view: 'snoozed' })).toMatchObject({
      snoozedByEmail: emailOf('operator'),
    })
    expect((await consoles.owner.dashboard.waiting.query()).inbox).toBe(0)
    await world.passTime({ days: 2, minutes: 1 })
    await signInAgain()
    expect(await findItem(consoles.owner, item)).toMatchObject({ snoozedUntil: null })
    expect(await findItem(consoles.owner, item, { view: 'snoozed' })).toBeUndefined()
    await resolveAll()
    await releaseAll()
  })

  test('is back as soon as it is not as it was, or when somebody brings it back', async () => {
    const item = await openAlert('clock_skewed', 'worker')
    const snoozed = () => findItem(consoles.owner, item, { view: 'snoozed' })
    await consoles.owner.inbox.snooze.mutate({ ...item, until: inDays(1) })
    expect(await snoozed()).toBeDefined()
    await world.query('UPDATE alerts SET times = times + 1 WHERE id = $1', [item.id])
    expect(await snoozed()).toBeUndefined()
    await consoles.owner.inbox.snooze.mutate({ ...item, until: inDays(1) })
    await consoles.owner.inbox.snooze.mutate({ ...item, until: null })
    expect(await snoozed()).toBeUndefined()
    await resolveAll()
    await releaseAll()
  })

  test('a time that is over or too far away is refused, and a mark that nobody touched for long is forgotten', async () => {
    const item = await openAlert('clock_skewed', 'worker')
    const until = (days: number) =>
      problemOf(consoles.owner.inbox.snooze.mutate({ ...item, until: inDays(days) }))
    expect(await until(-1)).toBe('invalid_request')
    expect(await until(91)).toBe('invalid_request')
    await consoles.owner.inbox.snooze.mutate({ ...item, until: inDays(1) })
    await world.passTime({ days: 401 })
    await signInAgain()
    const { inbox_marks: gone } = await purgeExpired(world.services.database.pool)
    expect(gone).toBeGreaterThan(0)
    expect(await world.query('SELECT 1 FROM inbox_marks')).toEqual([])
    await resolveAll()
    await releaseAll()
  })

  test('every touch stands in the audit log with what was before and after', async () => {
    const item = await parkedOrder()
    const owner = await idOf(world, emailOf('owner'))
    await consoles.owner.inbox.assign.mutate({ ...item, assigneeId: owner, seenAssigneeId: null })
    await consoles.owner.inbox.snooze.mutate({ ...item, until: inDays(1) })
    const entries = await world.query<{ action: string; before: unknown; after: unknown }>(
      `SELECT action, before, after FROM audit_entries WHERE subject_type = 'inbox' AND subject_id = $1 ORDER BY id`,
      [`order ${item.id}`],
    )
    expect(entries).toEqual([
      { action: 'inbox.assign', before: { assigneeId: null }, after: { assigneeId: owner } },
      { action: 'inbox.snooze', before: { until: null }, after: { until: expect.any(String) } },
    ])
    await resolveAll()
    await releaseAll()
  })
})

describe('the pages of the queue', () => {
  test('are in order of urgency and age, also where many came at once', async () => {
    await world.query(
      `INSERT INTO alerts (kind, subject, opened_at)
       SELECT CASE WHEN n % 2 = 0 THEN 'clock_skewed' ELSE 'backup_old' END, 'many ' || n, '2026-01-01Z'::timestamptz + n / 4 * interval '1 second'
       FROM generate_series(1, 43) n`,
    )
    const whole = await itemsOf(consoles.owner)
    expect(whole).toHaveLength(43)
    const pages: InboxItem[] = []
    let cursor: string | undefined
    do {
      const page = await consoles.owner.inbox.list.query({ view: 'all', limit: 5, ...(cursor && { cursor }) })
      pages.push(...page.items)
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(pages.map(({ id }) => id)).toEqual(whole.map(({ id }) => id))
    const places = whole.map(({ urgency, since }) => `${urgency === 'urgent' ? 0 : 1} ${since.toISOString()}`)
    expect(places).toEqual(places.toSorted())
  })

  test('are counted part by part and kind by kind as SQL counts them', async () => {
    const item = await parkedOrder()
    await consoles.owner.inbox.snooze.mutate({ ...item, until: inDays(1) })
    const owner = await idOf(world, emailOf('owner'))
    const [first] = await itemsOf(consoles.owner, { kind: 'alert' })
    const given = { kind: 'alert', id: first?.id ?? '' } as const
    await consoles.owner.inbox.assign.mutate({ ...given, assigneeId: owner, seenAssigneeId: null })
    const counts = await consoles.operator.inbox.counts.query({ view: 'all' })
    const of = (list: readonly { tab: string; count: number }[]) =>
      Object.fromEntries(list.map(({ tab, count }) => [tab, count]))
    const [sql] = await world.query<{ open: number; owned: number }>(
      `SELECT count(*)::int AS open, count(owner_id)::int AS owned FROM alerts WHERE resolved_at IS NULL`,
    )
    const { open = 0, owned = 0 } = sql ?? {}
    expect(of(counts.views)).toEqual({
      you: open - owned,
      mine: 0,
      unassigned: open - owned,
      all: open,
      snoozed: 1,
    })
    expect(of(counts.kinds)).toEqual({
      approval: 0,
      order: 0,
      refund: 0,
      alert: open,
      difference: 0,
      mention: 0,
    })
    expect((await consoles.operator.dashboard.waiting.query()).inbox).toBe(open - owned)
    expect((await consoles.viewer.dashboard.waiting.query()).inbox).toBe(0)
    await resolveAll()
    await releaseAll()
  })
})
