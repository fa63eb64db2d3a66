import { beforeAll, beforeEach } from 'vitest'
import { dayBefore } from '../../src/platform/time/business-time.ts'
import { hire, signInAnew } from './console.ts'
import { doJob } from './do-jobs.ts'
import { startObjectStore, storeKey } from './object-store.ts'
import type { Span } from './test-world.ts'
import { useOpened, useTestWorld } from './use-opened.ts'

const roles = { finance: 'finance', other: 'finance', operator: 'operator', owner: 'owner' } as const
export type Who = keyof typeof roles
const emailOf = (who: Who) => `${who}@example.com`

export const daily = { kind: 'payments', format: 'csv', hour: 0, keepDays: 3, s3: null } as const
export const objectOf = (day: string) => `/books/daily/payments-${day}.csv`

/** The world of a test file about scheduled exports: who schedules them, and the store that they go to. */
export function useExportDesk() {
  const world = useTestWorld()

  beforeAll(async () => {
    for (const who of ['finance', 'other', 'operator', 'owner'] as const)
      await hire(world, { email: emailOf(who), role: roles[who] })
  })

  /** Who is signed in: nobody any more once hours have passed. */
  const sessions = new Map<Who, ReturnType<typeof signInAnew>>()
  function as(who: Who) {
    const session = sessions.get(who) ?? signInAnew(world, emailOf(who))
    sessions.set(who, session)
    return session
  }
  const desk = async (who: Who) => (await as(who)).console
  async function pass(time: Span): Promise<void> {
    sessions.clear()
    await world.passTime(time)
  }

  const store = useOpened(startObjectStore)

  const toStore = () => ({ ...daily, s3: { ...store.place, ...storeKey } })
  const schedules = async () => (await (await desk('finance')).exportSchedule.list.query()).items
  const onlyOne = async () => (await schedules())[0]
  const yesterday = () => dayBefore(world.services.runtime.now())

  /** The next midnight of Beijing passes, and whatever is due then is done. */
  async function nextDay(): Promise<string> {
    await pass({ hours: 24 })
    await doJob(world, 'start_due_exports', {})
    return yesterday()
  }

  const roleOfOther = (role: 'finance' | 'viewer') =>
    world.query(`UPDATE operators SET role = $1::operator_role WHERE email = 'other@example.com'`, [role])

  beforeEach(async () => {
    await roleOfOther('finance')
    for (const { id } of await schedules()) await (await desk('finance')).exportSchedule.remove.mutate({ id })
    store.objects.clear()
    store.asked.length = 0
    store.refusal = null
    store.breaksOff = false
    store.switches = false
  })

  return { world, store, as, desk, pass, toStore, schedules, onlyOne, yesterday, nextDay, roleOfOther }
}
