import { randomUUID } from 'node:crypto'
import { Secret } from 'otpauth'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeAt } from '../../src/operators/totp.ts'
import {
  type Console,
  hire,
  openConsole,
  passwordOf,
  problemOf,
  signedInConsole,
  signInAnew,
} from '../world/console.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let owner: Console

beforeAll(async () => {
  await hire(world, { email: 'the-owner@example.com' })
})
beforeEach(async () => {
  owner = (await signInAnew(world, 'the-owner@example.com')).console
})

const aDayMs = 24 * 3_600_000

async function enrol(console: Console) {
  const { secret, ticket } = await console.operator.startEnrolment.mutate()
  const bytes = Secret.fromBase32(secret).bytes
  const { recoveryCodes } = await console.operator.confirmEnrolment.mutate({ ticket, code: codeAt(bytes) })
  return { bytes, recoveryCodes }
}

const signIn = (email: string, password = passwordOf(email), code?: string) =>
  openConsole(world).operator.signIn.mutate({ email, password, ...(code && { code }) })
const consoleOf = async (...credentials: Parameters<typeof signIn>) =>
  openConsole(world, { session: (await signIn(...credentials)).token })

const idOf = async (email: string) => {
  const [row] = await world.query<{ id: string }>('SELECT id FROM operators WHERE email = $1', [email])
  return row?.id ?? ''
}
const actsOf = async (email: string) =>
  (
    await world.query<{ action: string }>(
      'SELECT action FROM audit_entries WHERE operator_id = $1 ORDER BY id',
      [await idOf(email)],
    )
  ).map(({ action }) => action)

/** A viewer who worked without a factor, is an operator now, and has just set one up. */
async function promoted(email: string) {
  await hire(world, { email, role: 'viewer' })
  expect((await (await consoleOf(email)).order.list.query({})).items).toEqual([])
  const operatorId = await idOf(email)
  await owner.staff.changeRole.mutate({ operatorId, role: 'operator' })
  const console = await consoleOf(email)
  expect((await console.operator.context.query()).next).toBe('enrol')
  return { console, operatorId, ...(await enrol(console)) }
}

/** What only a second factor opens. */
const stepUp = (console: Console) =>
  problemOf(console.user.reveal.mutate({ id: randomUUID(), reason: 'a question of theirs' }))

describe('setting or changing a second factor', () => {
  const letPasswordPass = () => world.passTime({ minutes: 10, seconds: 1 })

  test('takes the password again: a stolen session sets none up', async () => {
    const email = 'stolen@example.com'
    const { console } = await signedInConsole(world, { email, role: 'viewer' })
    const { secret, ticket } = await console.operator.startEnrolment.mutate()
    const confirmed = () =>
      console.operator.confirmEnrolment.mutate({ ticket, code: codeAt(Secret.fromBase32(secret).bytes) })
    const confirm = () => problemOf(confirmed())
    await letPasswordPass()
    expect(await problemOf(console.operator.startEnrolment.mutate())).toBe('password_required')
    expect(await confirm()).toBe('password_required')
    const wrong = console.operator.provePassword.mutate({ password: 'not the password' })
    expect(await problemOf(wrong)).toBe('invalid_credentials')
    expect(await confirm()).toBe('password_required')
    await console.operator.provePassword.mutate({ password: passwordOf(email) })
    const { recoveryCodes } = await confirmed()
    expect(recoveryCodes).toHaveLength(10)
    expect(await actsOf(email)).toEqual([
      'operator.sign_in',
      'operator.wrong_password',
      'operator.prove_password',
      'operator.enrol',
    ])
    await letPasswordPass()
    await console.operator.prove.mutate({ code: recoveryCodes[0] ?? '' })
    expect(await problemOf(console.operator.renewRecoveryCodes.mutate())).toBe('password_required')
    expect(await problemOf(console.operator.giveUpSecondFactor.mutate())).toBe('password_required')
  })

  test('lets nobody guess the password: ten a minute, like signing in', async () => {
    const email = 'guessing@example.com'
    const { console } = await signedInConsole(world, { email, role: 'viewer' })
    const guess = () => problemOf(console.operator.provePassword.mutate({ password: 'not the password' }))
    for (let turn = 1; turn <= 10; turn++) expect(await guess()).toBe('invalid_credentials')
    expect(await guess()).toBe('rate_limited')
  })

  test('is told: an alert names the account whose factor changed', async () => {
    const email = 'told@example.com'
    const { console } = await signedInConsole(world, { email, role: 'viewer' })
    await enrol(console)
    const operatorId = await idOf(email)
    const told = async () => {
      const { items } = await owner.alert.list.query({ kind: 'factor_changed' })
      return items.find(({ subject }) => subject === operatorId)
    }
    expect(await told()).toMatchObject({ times: 1, detail: { change: 'set' } })
    await console.operator.giveUpSecondFactor.mutate()
    expect(await told()).toMatchObject({ times: 2 })
  })
})

test('new recovery codes are told like any change of a second factor', async () => {
  const email = 'renews@example.com'
  const { console } = await signedInConsole(world, { email })
  await console.operator.renewRecoveryCodes.mutate()
  const { items } = await owner.alert.list.query({ kind: 'factor_changed' })
  const operatorId = await idOf(email)
  expect(items.find(({ subject }) => subject === operatorId)).toMatchObject({
    times: 1,
    detail: { change: 'codes_renewed' },
  })
})

describe('a second factor counts as step-up', () => {
  test('at once when it is set up in the session of the one-time password', async () => {
    const email = 'invited@example.com'
    const { password } = await owner.staff.invite.mutate({ email, name: 'Invited', role: 'operator' })
    const console = await consoleOf(email, password)
    await console.operator.changePassword.mutate({
      currentPassword: password,
      newPassword: 'seven quiet herons stand',
    })
    await enrol(console)
    expect(await stepUp(console)).toBe('not_found')
    expect((await console.operator.account.query()).confirmers).toEqual([])
  })

  test('a day later when it is added to an account that had worked without, whatever is shown', async () => {
    const email = 'promoted@example.com'
    const { console, operatorId, recoveryCodes } = await promoted(email)
    expect((await console.order.list.query({})).items).toEqual([])
    expect(await stepUp(console)).toBe('factor_not_trusted')
    const again = await consoleOf(email, passwordOf(email), recoveryCodes[0])
    expect(await stepUp(again)).toBe('factor_not_trusted')
    expect(await problemOf(again.operator.startEnrolment.mutate())).toBe('factor_not_trusted')
    const { factorTrustedFrom } = await owner.staff.detail.query({ operatorId })
    expect(
      Math.abs(Number(factorTrustedFrom) - world.services.runtime.now().getTime() - aDayMs),
    ).toBeLessThan(60_000)
    await world.passTime({ days: 1 })
    expect(await stepUp(await consoleOf(email, passwordOf(email), recoveryCodes[1]))).toBe('not_found')
  })

  test('a day later when an owner took the one before away', async () => {
    const email = 'reset@example.com'
    await signedInConsole(world, { email, role: 'finance' })
    await owner.staff.resetSecondFactor.mutate({ operatorId: await idOf(email) })
    const console = await consoleOf(email)
    await enrol(console)
    expect(await problemOf(console.operator.renewRecoveryCodes.mutate())).toBe('factor_not_trusted')
  })

  test('as before when it replaces one that counts', async () => {
    const email = 'replaces@example.com'
    const { console } = await signedInConsole(world, { email })
    await enrol(console)
    expect(await stepUp(console)).toBe('not_found')
  })

  test('sooner when an owner confirms it, who has stepped up and is somebody else', async () => {
    const email = 'confirmed@example.com'
    const { console: unproven } = await signInAnew(world, 'the-owner@example.com')
    await world.passTime({ minutes: 10, seconds: 1 })
    owner = (await signInAnew(world, 'the-owner@example.com')).console
    const { console, operatorId } = await promoted(email)
    expect((await console.operator.account.query()).confirmers).toContain('the-owner@example.com')
    expect(await problemOf(console.staff.confirmSecondFactor.mutate({ operatorId }))).toBe('forbidden')
    expect(await problemOf(unproven.staff.confirmSecondFactor.mutate({ operatorId }))).toBe(
      'step_up_required',
    )

    await owner.staff.confirmSecondFactor.mutate({ operatorId })

    expect(await stepUp(console)).toBe('not_found')
    expect(await problemOf(owner.staff.confirmSecondFactor.mutate({ operatorId }))).toBe('changed_meanwhile')
    expect(await actsOf('the-owner@example.com')).toContain('staff.confirm_second_factor')
    expect(
      await world.query(
        `SELECT resolution FROM alerts WHERE kind = 'factor_changed' AND subject = $1 AND resolved_at IS NOT NULL`,
        [operatorId],
      ),
    ).toEqual([{ resolution: 'healed: factor_confirmed' }])
    const own = await idOf('the-owner@example.com')
    expect(await problemOf(owner.staff.confirmSecondFactor.mutate({ operatorId: own }))).toBe(
      'second_person_required',
    )
  })

  test('a day later wherever nobody says from when: the database sees to it', async () => {
    const email = 'by-hand@example.com'
    await hire(world, { email, role: 'viewer' })
    const trust = async (change: string) => {
      const [row] = await world.query<{ hours: number | null }>(
        `UPDATE operators SET ${change} WHERE email = $1
         RETURNING round(extract(epoch FROM factor_trusted_from - totp_confirmed_at) / 3600)::int AS hours`,
        [email],
      )
      return row?.hours
    }
    expect(await trust(`sealed_totp = 'x', totp_confirmed_at = business_now()`)).toBe(24)
    expect(await trust('factor_trusted_from = business_now()')).toBe(0)
    expect(await trust('factor_trusted_from = NULL')).toBe(24)
    expect(await trust('totp_confirmed_at = NULL')).toBeNull()
    expect(await trust('factor_trusted_from = business_now()')).toBeNull()
  })
})
