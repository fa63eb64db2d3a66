import { alertSeverities } from '@meridian/contracts'
import { expect, test } from 'vitest'
import type { TestWorld } from '../world/test-world.ts'
import { openToldWorld } from '../world/told-alerts.ts'
import { alertsOf } from '../world/watch.ts'
import { conditions } from './alert-plays/conditions.ts'
import { dailyWork } from './alert-plays/daily-work.ts'
import { events } from './alert-plays/events.ts'
import { operators } from './alert-plays/operators.ts'
import { payments } from './alert-plays/payments.ts'
import { type Play, type RaisedKind, resolveAtDesk } from './alert-plays/play.ts'
import { pushes } from './alert-plays/pushes.ts'
import { refunds } from './alert-plays/refunds.ts'
import { shapes } from './alert-plays/shapes.ts'

/** A kind without a play does not compile. */
const plays: Readonly<Record<RaisedKind, Play>> = {
  ...payments,
  ...pushes,
  ...refunds,
  ...dailyWork,
  ...conditions,
  ...operators,
  ...events,
}
const isRaised = (kind: string): kind is RaisedKind => Object.hasOwn(plays, kind)
const kinds = Object.keys(alertSeverities).filter(isRaised)

const namesIn = (detail: object) => Object.keys(detail).toSorted()

/** What the program wrote is of a shape of which the orders and the customer are looked up. */
async function expectKnownShape(world: TestWorld, kind: RaisedKind): Promise<void> {
  const [alert] = await world.query<{ detail: object }>('SELECT detail FROM alerts WHERE kind = $1', [kind])
  const known = shapes[kind].map(([, , detail]) => namesIn(detail))
  expect(known).toContainEqual(namesIn(alert?.detail ?? {}))
}

test.for(kinds)('%s is told once, and once that it is over', async (kind) => {
  const { world: options, subject, besides = [], onceOnly, raise } = plays[kind]
  await using shop = await openToldWorld(options)
  const { world, tell } = shop
  const { again, end = () => resolveAtDesk(world, kind) } = await raise(world)
  const told = await tell()
  expect(told.map((one) => `${one.kind} ${one.state}`).sort()).toEqual(
    [kind, ...besides].map((one) => `${one} open`).sort(),
  )
  const opened = told.find((one) => one.kind === kind)
  expect(opened).toMatchObject({
    severity: alertSeverities[kind],
    subject: expect.stringMatching(subject),
    url: 'http://127.0.0.1:3000/alerts?view=alerts',
    text: expect.stringContaining('http://127.0.0.1:3000/alerts?view=alerts'),
    over_at: null,
  })
  await expectKnownShape(world, kind)
  expect(await tell()).toEqual([])
  await again?.()
  expect(await tell()).toEqual([])
  const counted = again && !onceOnly ? 1 : 0
  expect(await alertsOf(world, kind)).toMatchObject([{ times: (opened?.times ?? 0) + counted, over: false }])
  await end()
  expect(await tell()).toMatchObject([{ id: opened?.id, kind, state: 'over', over_at: expect.any(String) }])
  expect(await tell()).toEqual([])
})
