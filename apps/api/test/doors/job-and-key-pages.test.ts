import { describe, expect, test } from 'vitest'
import { problemOf } from '../world/console.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ jobs: true })
const owner = useConsole(world, 'owner')
const finance = useConsole(world, 'finance')

/** A job of the future that has failed `attempts` times; answers its id. */
async function failed(key: string, attempts = 3): Promise<string> {
  const [job] = await world.query<{ id: string }>(
    `SELECT (graphile_worker.add_job('sweep_order', '{"outTradeNo": "M0", "attempt": 0}'::json,
       run_at => now() + interval '1 hour', job_key => $1)).id::text AS id`,
    [key],
  )
  await world.query(
    `UPDATE graphile_worker._private_jobs SET attempts = $2, last_error = 'the platform was down' WHERE id = $1::bigint`,
    [job?.id, attempts],
  )
  return job?.id ?? ''
}

describe('the jobs page', () => {
  test('shows the queue, what fails and why, the schedule and who works', async () => {
    const id = await failed('shown')
    const overview = await owner.job.overview.query()
    expect(overview.queue.find(({ job }) => job === 'sweep_order')).toMatchObject({
      scheduled: 1,
      failing: 1,
    })
    expect(overview.failing.find((job) => job.id === id)).toMatchObject({
      job: 'sweep_order',
      key: 'shown',
      attempts: 3,
      lastError: 'the platform was down',
      isRunning: false,
    })
    expect(overview.workers.some(({ isAlive }) => isAlive)).toBe(true)
    expect(overview.schedule).toContainEqual(
      expect.objectContaining({ job: 'reconcile_day', cron: '30 2 * * *' }),
    )
  })

  test('a dead job is counted as such, and comes back to life when it is tried again', async () => {
    const id = await failed('dead', 25)
    const dead = async () =>
      (await owner.job.overview.query()).queue.find(({ job }) => job === 'sweep_order')?.dead
    expect(await dead()).toBe(1)
    await owner.job.retry.mutate({ id })
    expect(await dead()).toBe(0)
  })

  test('a cancelled job is gone, on the record with why it failed', async () => {
    const id = await failed('cancelled')
    await owner.job.cancel.mutate({ id })
    expect((await owner.job.overview.query()).failing.map((job) => job.id)).not.toContain(id)
    expect(await problemOf(owner.job.cancel.mutate({ id }))).toBe('changed_meanwhile')
    expect(
      await world.query(
        "SELECT action, before ->> 'lastError' AS error FROM audit_entries WHERE subject_id = $1",
        [id],
      ),
    ).toEqual([{ action: 'job.cancel', error: 'the platform was down' }])
  })

  test('a running job is left alone', async () => {
    const id = await failed('running')
    await world.query(
      "UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'somebody' WHERE id = $1::bigint",
      [id],
    )
    expect(await problemOf(owner.job.retry.mutate({ id }))).toBe('changed_meanwhile')
    expect(await problemOf(owner.job.cancel.mutate({ id }))).toBe('changed_meanwhile')
  })

  test('is the owner’s alone', async () => {
    expect(await problemOf(finance.job.overview.query())).toBe('forbidden')
    expect(await problemOf(finance.job.retry.mutate({ id: '1' }))).toBe('forbidden')
    expect(await problemOf(finance.job.cancel.mutate({ id: '1' }))).toBe('forbidden')
  })
})

describe('the key cockpit', () => {
  test('says which keys verify what, until when, and when they last did', async () => {
    const phone = await world.phone()
    await phone.pays(await phone.buys())
    const cockpit = await owner.key.cockpit.query()
    const [key] = cockpit.platformKeys
    expect(key).toMatchObject({ fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/) })
    const used = cockpit.platformKeys.filter(({ uses }) => uses > 0)
    expect(used).toHaveLength(1)
    expect(used[0]?.lastUsedAt).toBeInstanceOf(Date)
    expect(cockpit.clockSkewMs).toBeTypeOf('number')
    expect(cockpit.merchant).toMatchObject({ mchId: world.config.payments?.mchId, apiV3Keys: 1 })
  })

  test('holds no secret', async () => {
    const text = JSON.stringify(await owner.key.cockpit.query())
    const { apiV3Keys = [], merchantPrivateKey = '' } = world.config.payments ?? {}
    for (const secret of [...apiV3Keys, merchantPrivateKey.slice(40, 80)]) expect(text).not.toContain(secret)
    expect(text).not.toContain('PRIVATE KEY')
  })

  test('takes the end of the merchant certificate for the serial in use alone, and keeps who entered it', async () => {
    const merchant = async () => (await owner.key.cockpit.query()).merchant
    const merchantSerialNo = (await merchant())?.merchantSerialNo ?? ''
    expect((await merchant())?.certificateEndsOn).toBe(null)
    await owner.key.enterCertificateEnd.mutate({ merchantSerialNo, endsOn: '2031-02-28' })
    await owner.key.enterCertificateEnd.mutate({ merchantSerialNo, endsOn: '2031-03-01' })
    expect((await merchant())?.certificateEndsOn).toBe('2031-03-01')
    const [entry] = await world.query(
      `SELECT before, after FROM audit_entries WHERE action = 'key.enter_end' ORDER BY id DESC LIMIT 1`,
    )
    expect(entry).toEqual({ before: { endsOn: '2031-02-28' }, after: { endsOn: '2031-03-01' } })
    const other = { merchantSerialNo: 'ABCD', endsOn: '2031-02-28' }
    expect(await problemOf(owner.key.enterCertificateEnd.mutate(other))).toBe('changed_meanwhile')
    const noDay = { merchantSerialNo, endsOn: '2031-02-30' }
    expect(await problemOf(owner.key.enterCertificateEnd.mutate(noDay))).toBe('invalid_request')
    expect(await problemOf(finance.key.enterCertificateEnd.mutate(other))).toBe('forbidden')
  })

  test('is the owner’s alone', async () => {
    expect(await problemOf(finance.key.cockpit.query())).toBe('forbidden')
  })
})
