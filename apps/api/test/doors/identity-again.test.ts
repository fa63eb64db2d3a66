import { describe, expect, test } from 'vitest'
import { type Console, codeOf, hire, idOf, openConsole, passwordOf, problemOf } from '../world/console.ts'
import { breakGlass, person, useIdentityWorld } from '../world/identity-desk.ts'
import type { Person } from '../world/identity-provider.ts'

const { world, newConsole, signIn, sessionOf, rowOf, lastFailure } = useIdentityWorld()

const desk = (name: string) => person(name, { groups: ['shop-desk'], amr: ['pwd', 'otp'] })
const stepUp = (console: Console) => console.operator.revealNames.mutate({ reason: 'asked on the phone' })
const isOpen = (token: string) =>
  openConsole(world, { session: token })
    .operator.context.query()
    .then(
      () => true,
      () => false,
    )

describe('showing again at the company who one is', () => {
  test('opens a session in place of the one that is open, whose proof is fresh', async () => {
    const { session, console } = await sessionOf(desk('again'))
    expect((await console.operator.context.query()).company).toEqual({ name: 'Example AG', passwords: false })
    await world.passTime({ minutes: 11 })
    expect(await problemOf(stepUp(console))).toBe('step_up_required')
    const answer = await signIn(desk('again'), { inSession: session.token })
    if (answer.next !== null) throw new Error('a code is asked for')
    await stepUp(openConsole(world, { session: answer.session.token }))
    expect(await isOpen(session.token)).toBe(false)
  })

  test('is for one’s own account alone: that of another opens nothing, and the session stays', async () => {
    await sessionOf(desk('neighbour'))
    const { session } = await sessionOf(desk('begun'))
    expect(await problemOf(signIn(desk('neighbour'), { inSession: session.token }))).toBe('forbidden')
    expect(await lastFailure()).toEqual({ reason: 'identity_not_admitted', email: 'neighbour@example.com' })
    expect(await problemOf(signIn(desk('newcomer'), { inSession: session.token }))).toBe('forbidden')
    expect(await rowOf('newcomer@example.com')).toBe(undefined)
    expect(await isOpen(session.token)).toBe(true)
  })

  test('takes as much as before, and just now: the session stays where it was less', async () => {
    const { session } = await sessionOf(desk('less'))
    const { amr: _amr, ...without } = desk('less')
    const long = Math.floor(Date.now() / 1000) - 700
    const again = (who: Person, claims: Record<string, unknown>) =>
      signIn(who, { inSession: session.token, forged: { claims } })
    expect(await problemOf(again(without, {}))).toBe('step_up_required')
    expect(await problemOf(again(desk('less'), { auth_time: long }))).toBe('step_up_required')
    expect(await problemOf(again(desk('less'), { auth_time: undefined }))).toBe('step_up_required')
    expect(await isOpen(session.token)).toBe(true)
  })

  test('stands for the password where an authenticator of ours is set up late', async () => {
    const who = person('late', { groups: ['shop-desk'], amr: ['pwd'] })
    const { session, console } = await sessionOf(who)
    await world.passTime({ minutes: 11 })
    expect(await problemOf(console.operator.startEnrolment.mutate())).toBe('password_required')
    const answer = await signIn(who, { inSession: session.token })
    if (answer.next !== null) throw new Error('a code is asked for')
    const again = openConsole(world, { session: answer.session.token })
    expect((await again.operator.startEnrolment.mutate()).ticket).not.toBe('')
  })

  test('asks for the code of who has an authenticator of ours, and then for nobody else’s', async () => {
    for (const name of ['coded', 'other'])
      await hire(world, { email: `${name}@example.com`, role: 'operator' })
    const unsaid = (name: string) => person(name, { groups: ['shop-desk'] })
    const enter = async (name: string, inSession?: string) => {
      const answer = await signIn(unsaid(name), inSession ? { inSession } : {})
      if (answer.next !== 'code') throw new Error('no code is asked for')
      const input = { ticket: answer.ticket, code: await codeOf(world, `${name}@example.com`) }
      const console = inSession ? openConsole(world, { session: inSession }) : newConsole()
      return { input, session: await console.operator.finishSignIn.mutate(input) }
    }
    const { session: first } = await enter('coded')
    await world.passTime({ minutes: 1 })
    const { session } = await enter('coded', first.token)
    expect(session.operator.email).toBe('coded@example.com')
    expect(await isOpen(first.token)).toBe(false)
    const answer = await signIn(unsaid('other'))
    if (answer.next !== 'code') throw new Error('no code is asked for')
    const input = { ticket: answer.ticket, code: await codeOf(world, 'other@example.com') }
    const mixed = openConsole(world, { session: session.token }).operator.finishSignIn.mutate(input)
    expect(await problemOf(mixed)).toBe('forbidden')
  })
})

describe('unbinding a company account', () => {
  const ownerConsole = async () => {
    const email = breakGlass
    await hire(world, { email, role: 'owner' })
    await world.query(`UPDATE operators SET factor_trusted_from = '2026-01-01' WHERE email = $1`, [email])
    const code = await codeOf(world, email)
    const session = await newConsole().operator.signIn.mutate({ email, password: passwordOf(email), code })
    return openConsole(world, { session: session.token })
  }

  test('ends its sessions, is told and written down, and lets the verified e-mail be bound anew', async () => {
    const { session } = await sessionOf(desk('moved'))
    const operatorId = await idOf(world, 'moved@example.com')
    const owner = await ownerConsole()
    expect((await owner.staff.detail.query({ operatorId })).bound).toBe(true)
    await owner.staff.unbindIdentity.mutate({ operatorId })
    await owner.staff.unbindIdentity.mutate({ operatorId }, { context: { changesNothing: true } })
    expect((await owner.staff.detail.query({ operatorId })).bound).toBe(false)
    expect(await isOpen(session.token)).toBe(false)
    const entries = await world.query(
      `SELECT action, before FROM audit_entries WHERE subject_id = $1 AND action LIKE 'staff.unbind%'`,
      [operatorId],
    )
    expect(entries).toEqual([{ action: 'staff.unbind_identity', before: { issuer: expect.any(String) } }])
    const alerts = await world.query(
      `SELECT detail FROM alerts WHERE kind = 'factor_changed' AND subject = $1`,
      [operatorId],
    )
    expect(alerts).toEqual([{ detail: { change: 'identity_unbound' } }])
    const moved = { ...desk('moved'), sub: 'sub-at-the-new-provider' }
    expect((await sessionOf(moved)).session.operator.id).toBe(operatorId)
    expect((await rowOf('moved@example.com'))?.['subject']).toBe('sub-at-the-new-provider')
  })

  test('is for owners, who have just shown their second factor', async () => {
    const { console } = await sessionOf(desk('curious'))
    const operatorId = await idOf(world, 'curious@example.com')
    expect(await problemOf(console.staff.unbindIdentity.mutate({ operatorId }))).toBe('forbidden')
    expect(await problemOf((await ownerConsole()).staff.unbindIdentity.mutate({ operatorId: nobody }))).toBe(
      'not_found',
    )
  })
})

const nobody = '01900000-0000-7000-8000-000000000000'
