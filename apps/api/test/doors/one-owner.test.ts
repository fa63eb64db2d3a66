import { beforeAll, describe, expect, test } from 'vitest'
import { createOperator } from '../../src/operators/create-operator.ts'
import { applyDueSetting } from '../../src/settings/decide-setting.ts'
import { takeOver } from '../world/colleagues.ts'
import {
  type Console,
  enrol,
  hire,
  idOf,
  passwordOf,
  problemOf,
  signedInConsole,
  signInAnew,
} from '../world/console.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let owner: Console
beforeAll(async () => {
  owner = (await signedInConsole(world, { email: 'owner@example.com' })).console
})

async function passHours(hours: number) {
  await world.passTime({ hours })
  owner = (await signInAnew(world, 'owner@example.com')).console
}

const key = 'refund_approval_threshold_fen'
const read = async () => {
  const { items, waiting } = await owner.setting.list.query()
  const { value, version } = items.find((one) => one.key === key) ?? { value: null, version: 0 }
  return { value, version, waiting }
}
const change = async (value: number) =>
  owner.setting.change.mutate({ key, version: (await read()).version, value })
const dueJobs = () =>
  world.query<{ id: string; in_hours: number }>(
    `SELECT payload ->> 'requestId' AS id, round(extract(epoch FROM run_at - now()) / 3600)::int AS in_hours
     FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = 'apply_setting' ORDER BY j.id DESC`,
  )
const applyDue = (id: string) => applyDueSetting(world.services.database.prisma, id)
const alerts = () =>
  world.query<{ subject: string; detail: unknown }>(
    `SELECT subject, detail FROM alerts WHERE kind = 'threshold_changed' ORDER BY id`,
  )
const audited = () =>
  world.query<{ action: string }>(
    `SELECT action FROM audit_entries WHERE subject_type = 'setting' ORDER BY id`,
  )

describe('without a second owner of more than a day a threshold', () => {
  test('is changed after 24 hours and not before, told at once, and can be taken back meanwhile', async () => {
    const { waiting } = await change(30_000)
    expect(waiting).toMatchObject([
      { subject: key, isOwn: true, before: { value: 20_000 }, after: { value: 30_000 } },
    ])
    const dueIn = (waiting[0]?.dueAt?.getTime() ?? 0) - (waiting[0]?.requestedAt.getTime() ?? 0)
    expect(dueIn).toBe(24 * 3_600_000)
    expect(await alerts()).toMatchObject([
      {
        subject: `${key} #${waiting[0]?.id}`,
        detail: { before: 20_000, after: 30_000, due: expect.any(String) },
      },
    ])
    const [job] = await dueJobs()
    expect(job).toEqual({ id: waiting[0]?.id, in_hours: 24 })
    await applyDue(job?.id ?? '')
    expect((await read()).value).toBe(20_000)
    expect(await problemOf(change(40_000))).toBe('already_waiting')
    await owner.setting.decide.mutate({ id: job?.id ?? '', approve: false })
    await passHours(25)
    await applyDue(job?.id ?? '')
    expect(await read()).toMatchObject({ value: 20_000, waiting: [] })
    expect((await audited()).map(({ action }) => action)).toEqual(['setting.request', 'setting.withdraw'])
  })

  test('takes effect once when it is due, in the name of who asked', async () => {
    const { waiting } = await change(30_000)
    const id = waiting[0]?.id ?? ''
    await passHours(25)
    await Promise.all([applyDue(id), applyDue(id), applyDue(id)])
    expect(await read()).toMatchObject({ value: 30_000, waiting: [] })
    expect((await owner.setting.history.query({ key })).items).toMatchObject([
      { before: 20_000, after: 30_000, operatorEmail: 'owner@example.com' },
    ])
    expect((await audited()).map(({ action }) => action).slice(-2)).toEqual([
      'setting.request',
      'setting.take_effect',
    ])
  })

  test('is not changed by who is an owner no more when it is due', async () => {
    await hire(world, { email: 'left@example.com' })
    await enrol(world, 'left@example.com', 1)
    const { waiting } = await change(1)
    const id = waiting[0]?.id ?? ''
    await passHours(25)
    await world.query(`UPDATE operators SET role = 'viewer' WHERE email = 'owner@example.com'`)
    await applyDue(id)
    await world.query(`UPDATE operators SET role = 'owner' WHERE email = 'owner@example.com'`)
    expect((await read()).value).toBe(30_000)
    await owner.setting.decide.mutate({ id, approve: false })
    await world.query(`UPDATE operators SET disabled_at = business_now() WHERE email = 'left@example.com'`)
  })

  test('is not approved by a puppet either, and a puppet of the day before is no reason not to wait', async () => {
    await owner.staff.invite.mutate({ email: 'puppet@example.com', name: 'puppet', role: 'owner' })
    let puppet = await takeOver(world, 'puppet@example.com')
    const { waiting } = await change(50_000)
    expect(waiting[0]?.dueAt).not.toBeNull()
    const verdict = { id: waiting[0]?.id ?? '', approve: true }
    expect(await problemOf(puppet.setting.decide.mutate(verdict))).toBe('account_too_new')
    await passHours(25)
    puppet = (await signInAnew(world, 'puppet@example.com')).console
    expect(await problemOf(puppet.setting.decide.mutate(verdict))).toBe('second_person_required')
    await puppet.setting.decide.mutate({ ...verdict, approve: false })
    expect(await read()).toMatchObject({ value: 30_000, waiting: [] })
    await owner.staff.disable.mutate({ operatorId: await idOf(world, 'puppet@example.com') })
  })
})

test('with a second owner whose authenticator is not a day old, a threshold waits for the day, and for them after it', async () => {
  await hire(world, { email: 'second@example.com' })
  await enrol(world, 'second@example.com', 23)
  const first = await change(60_000)
  expect(first.waiting[0]?.dueAt).not.toBeNull()
  await owner.setting.decide.mutate({ id: first.waiting[0]?.id ?? '', approve: false })
  await passHours(2)
  const { waiting } = await change(60_000)
  expect(waiting[0]?.dueAt).toBeNull()
  const { console: second } = await signInAnew(world, 'second@example.com')
  const { items } = await second.setting.decide.mutate({ id: waiting[0]?.id ?? '', approve: true })
  expect(items.find((one) => one.key === key)).toMatchObject({
    value: 60_000,
    updatedBy: 'owner@example.com',
  })
})

test('an operator made by the command counts at once while no order was ever paid, and a day later from then on', async () => {
  const newcomer = async (email: string) => {
    const given = { password: passwordOf(email), mustChangePassword: false }
    await createOperator(world.services.database.prisma, { email, name: email, role: 'owner', ...given })
    const [{ waits } = { waits: null }] = await world.query<{ waits: boolean }>(
      `SELECT counts_at > changed_at AS waits FROM operator_changes WHERE operator_id = $1`,
      [await idOf(world, email)],
    )
    return waits
  }
  expect(await newcomer('first@example.com')).toBe(false)
  const phone = await world.phone()
  await phone.pays(await phone.buys())
  expect(await newcomer('next@example.com')).toBe(true)
})
