import { describe, expect, test } from 'vitest'
import { beat } from '../../src/jobs/keep-workers-alive.ts'
import { checkConditions } from '../../src/monitoring/check-conditions.ts'
import { isAlone } from '../../src/monitoring/keep-watching.ts'
import { dayBefore } from '../../src/platform/time/business-time.ts'
import { passUntil } from '../world/pass-until.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { alertsOf, look } from '../world/watch.ts'

const world = useTestWorld()

/** Looks again: told once, not counted at every look, counted while it lasts; `lasts` says what happens meanwhile. */
async function expectOneAlert(kind: string, subject: string, lasts?: () => unknown) {
  const opened = async () => (await look(world)).opened.filter((alert) => alert.startsWith(kind))
  expect(await opened()).toEqual([`${kind} ${subject}`])
  expect(await opened()).toEqual([])
  const open = async () => (await alertsOf(world, kind)).filter(({ over }) => !over)
  const [before] = await open()
  await world.passTime({ minutes: 1 })
  lasts?.()
  await look(world)
  expect(await open()).toMatchObject([{ subject, times: (before?.times ?? 0) + 1 }])
}

const workersLive = () => beat(world.services.database.pool, ['w'])
const addJob = () => world.query(`SELECT graphile_worker.add_job('forget_old', '{}', job_key => 'watched')`)
const dropJob = () => world.query(`SELECT graphile_worker.remove_job('watched')`)

describe('the queue', () => {
  test('no sign of life for a minute while jobs are due raises one alert, a worker ends it', async () => {
    await workersLive()
    await world.passTime({ seconds: 61 })
    expect((await look(world)).opened).toEqual([])
    await addJob()
    await world.passTime({ seconds: 30 })
    expect((await look(world)).opened).toEqual([])
    await world.passTime({ seconds: 31 })
    const watchingSince = world.services.runtime.now()
    expect((await look(world, { watchingSince })).opened).toEqual([])
    await expectOneAlert('workers_silent', 'workers')
    await workersLive()
    expect((await look(world)).ended).toEqual(['workers_silent workers'])
    await dropJob()
  })

  test('a job that gave up raises one alert of its kind; tried again or cancelled it is over', async () => {
    await workersLive()
    await addJob()
    const giveUp = () =>
      world.query(
        `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, updated_at = now() WHERE key = 'watched'`,
      )
    await giveUp()
    await expectOneAlert('job_dead', 'forget_old')
    await world.query(`UPDATE graphile_worker._private_jobs SET attempts = 0 WHERE key = 'watched'`)
    expect((await look(world)).ended).toEqual(['job_dead forget_old'])
    await giveUp()
    expect((await look(world)).opened).toEqual(['job_dead forget_old'])
    await dropJob()
    expect((await look(world)).ended).toEqual(['job_dead forget_old'])
  })

  test('what is not urgent is judged in turn: within two minutes however few are judged at a look', async () => {
    await workersLive()
    await addJob()
    await world.query(
      `UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE key = 'watched'`,
    )
    const opened: string[] = []
    for (let looks = 0; looks < 8; looks++) {
      await world.passTime({ seconds: 15 })
      opened.push(...(await look(world, { turn: world.services.runtime.now() })).opened)
    }
    expect(opened).toEqual(['job_dead forget_old'])
    await dropJob()
    expect((await look(world)).ended).toEqual(['job_dead forget_old'])
  })

  test('what is left of a job that was asked for anew while its worker died is none that gave up', async () => {
    const ask = () =>
      world.query(
        `SELECT graphile_worker.add_job('forget_old', '{}', job_key => 'anew', run_at => now() + interval '1 hour')`,
      )
    await ask()
    await world.query(
      `UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'w', attempts = 1 WHERE key = 'anew'`,
    )
    await ask()
    const left = await world.query<{ used: boolean }>(
      `UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL WHERE locked_by = 'w'
       RETURNING attempts >= max_attempts AS used`,
    )
    expect(left).toEqual([{ used: true }])
    expect((await look(world)).opened).toEqual([])
    await world.query(`SELECT graphile_worker.remove_job('anew')`)
  })

  test('what a person closed is not raised again before something new is known', async () => {
    await addJob()
    const giveUp = () =>
      world.query(
        `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, updated_at = clock_timestamp() WHERE key = 'watched'`,
      )
    await giveUp()
    expect((await look(world)).opened).toEqual(['job_dead forget_old'])
    await world.query(
      `UPDATE alerts SET resolved_at = business_now(), resolved_by = gen_random_uuid(), resolution = 'known' WHERE kind = 'job_dead' AND resolved_at IS NULL`,
    )
    expect((await look(world)).opened).toEqual([])
    await giveUp()
    expect((await look(world)).opened).toEqual(['job_dead forget_old'])
    await dropJob()
    await look(world)
  })
})

describe('the database', () => {
  test('a backup older than 26 hours raises one alert where one was ever made, a new one ends it', async () => {
    const backUp = () => world.query('INSERT INTO backups (finished_at, bytes) VALUES (business_now(), 1)')
    await backUp()
    await world.passTime({ hours: 25, minutes: 50 })
    expect((await look(world)).opened).toEqual([])
    await world.passTime({ minutes: 11 })
    await expectOneAlert('backup_old', 'database')
    await backUp()
    expect((await look(world)).ended).toContain('backup_old database')
  })

  test('a new timeline raises one alert, which ends after a day', async () => {
    await look(world)
    expect(await alertsOf(world, 'database_timeline_changed')).toEqual([])
    const [{ timeline } = { timeline: 0 }] = await world.query<{ timeline: number }>(
      'SELECT timeline FROM database_timelines',
    )
    expect(timeline).toBeGreaterThan(0)
    await world.query('UPDATE database_timelines SET timeline = timeline - 1')
    await expectOneAlert('database_timeline_changed', `timeline ${timeline}`)
    await world.passTime({ days: 1 })
    expect((await look(world)).ended).toContain(`database_timeline_changed timeline ${timeline}`)
  })

  test('a process says that it limits alone only after a minute without the Redis it should share', () => {
    const { limits } = world.services
    const since = new Date()
    const later = (seconds: number) => new Date(since.getTime() + seconds * 1000)
    const alone = (configured: boolean, up: boolean, seconds: number) =>
      isAlone({ limits: { ...limits, sharing: () => ({ configured, up, since }) } }, later(seconds))
    expect([alone(true, false, 59), alone(true, true, 600), alone(false, false, 600)]).toEqual([
      false,
      false,
      false,
    ])
    expect(alone(true, false, 60)).toBe(true)
  })

  test('conditions are judged although every other connection is taken and its statement does not end', async () => {
    const { doors } = world.services
    const taken = await Promise.all(
      Object.values(doors).flatMap(({ pool }) =>
        Array.from({ length: pool.options.max ?? 1 }, () => pool.connect()),
      ),
    )
    const hanging = taken.map((client) => client.query('SELECT pg_sleep(60)').catch(() => undefined))
    world.services.observations.note('payment_unanswered', 3)
    expect((await look(world)).opened).toContain('platform_unreachable payment')
    await world.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'`,
    )
    await Promise.all(hanging)
    for (const client of taken) client.release(true)
    await world.query('DELETE FROM observation_counts')
    await look(world)
  })

  test('Redis gone for a minute raises one alert, and half a minute after the last word of it that is over', async () => {
    const alone = () => world.services.observations.note('limits_alone')
    alone()
    await expectOneAlert('limits_not_shared', 'redis', alone)
    await world.passTime({ seconds: 30 })
    expect((await look(world)).ended).toContain('limits_not_shared redis')
  })
})

describe('the calendar', () => {
  const dayMs = 86_400_000

  test('yesterday not reconciled by noon in China raises one alert, the run ends it', async () => {
    const date = dayBefore(new Date(world.services.runtime.now().getTime() + 2 * dayMs))
    const noon = Date.parse(`${date}T04:00:00Z`)
    /** Looks at so many minutes after the noon of this day or of one after it. */
    const lookAt = async (minutes: number, days = 0) => {
      await passUntil(world, new Date(noon + days * dayMs + minutes * 60_000))
      return look(world)
    }
    await lookAt(1)
    expect(await alertsOf(world, 'reconciliation_missing')).toEqual([])
    const phone = await world.phone()
    await phone.pays(await phone.buys())
    await lookAt(-1, 1)
    expect(await alertsOf(world, 'reconciliation_missing')).toEqual([])
    await passUntil(world, new Date(noon + dayMs + 60_000))
    await expectOneAlert('reconciliation_missing', date)
    expect((await lookAt(1, 2)).ended).not.toContain(`reconciliation_missing ${date}`)
    await world.query(
      `INSERT INTO reconciliation_days (date, state, matched_at) VALUES ($1, 'matched', business_now())`,
      [date],
    )
    expect((await look(world)).ended).toContain(`reconciliation_missing ${date}`)
  })

  test('a key is told of thirty days, seven days and a day before its end, and a new date ends it', async () => {
    const serial = world.config.payments?.merchantSerialNo ?? ''
    const ends = (inDays: number) =>
      world.query(
        `INSERT INTO merchant_certificates (serial, expires_on, entered_by)
           VALUES ($1, ((business_now() + $2 * interval '1 day') AT TIME ZONE 'Asia/Shanghai')::date, gen_random_uuid())
           ON CONFLICT (serial) DO UPDATE SET expires_on = excluded.expires_on`,
        [serial, inDays],
      )
    const subject = (word: string) => `key_expiring merchant-certificate ${serial} ${word}`
    const told = async () => (await look(world)).opened.filter((alert) => alert.startsWith('key_expiring'))
    await ends(32)
    expect(await told()).toEqual([])
    await world.passTime({ days: 2 })
    expect(await told()).toEqual([subject('month')])
    expect(await told()).toEqual([])
    await world.passTime({ days: 23 })
    expect(await told()).toEqual([subject('week')])
    await world.passTime({ days: 6 })
    expect(await told()).toEqual([subject('day')])
    expect((await alertsOf(world, 'key_expiring')).map(({ over }) => over)).toEqual([false, false, false])
    await ends(400)
    expect((await look(world)).ended).toEqual([subject('day'), subject('month'), subject('week')])
  })

  test('a certificate of the platform is told of unless its successor is here', async () => {
    const { payments } = world.services
    if (!payments) throw new Error('payments are off')
    const certificate = (id: string, inDays: number) => ({
      ...{ id, kind: 'certificate' as const, source: 'settings' as const, pem: '', effectiveAt: null },
      expiresAt: new Date(world.services.runtime.now().getTime() + inDays * dayMs),
    })
    const lookWith = (...keys: ReturnType<typeof certificate>[]) =>
      checkConditions({
        ...world.services,
        payments: { ...payments, keyReport: () => ({ keys, downloadKeys: true, refreshedAt: null }) },
      })
    const old = certificate('0A', 6)
    expect((await lookWith(old)).opened).toContain('key_expiring platform-certificate 0A week')
    expect((await lookWith(old, certificate('0B', 20))).ended).toEqual([])
    await world.query(
      `INSERT INTO platform_certificates (id, pem, expires_at) VALUES ('0D', '', business_now() + interval '5 years')`,
    )
    expect((await lookWith(old)).ended).toContain('key_expiring platform-certificate 0A week')
    await world.query('DELETE FROM platform_certificates')
    expect((await lookWith(old)).opened).toContain('key_expiring platform-certificate 0A week')
    expect((await lookWith(old, certificate('0C', 1800))).ended).toContain(
      'key_expiring platform-certificate 0A week',
    )
  })
})
