import { describe, expect, test } from 'vitest'
import { type Console, codeOf, failureOf, hire, idOf, passwordOf, problemOf } from '../world/console.ts'
import { breakGlass, nothing, person, useIdentityWorld } from '../world/identity-desk.ts'
import type { Person } from '../world/identity-provider.ts'

const { world, provider, gate, newConsole, signIn, sessionOf, rowOf, lastFailure } = useIdentityWorld()

describe('who the provider lets in', () => {
  test('gets an account by their groups at the first sign-in, and is known by their subject from then on', async () => {
    const { session, console } = await sessionOf(person('new'))
    expect(session.operator).toMatchObject({ email: 'new@example.com', name: 'new', role: 'viewer' })
    expect((await console.operator.context.query()).next).toBe(null)
    const renamed = person('new', { email: 'other.name@example.com' })
    expect((await sessionOf(renamed)).session.operator.id).toBe(session.operator.id)
    expect(await rowOf('other.name@example.com')).toBe(undefined)
    const actions = await world.query<{ action: string }>(
      'SELECT action FROM audit_entries WHERE operator_id = $1 ORDER BY id',
      [session.operator.id],
    )
    expect(actions.map(({ action }) => action)).toEqual([
      'staff.provision',
      'operator.sign_in',
      'operator.sign_in',
    ])
  })

  test('is named by their e-mail where the provider says no name, as far as a name may go', async () => {
    const { name: _name, ...who } = person(`nameless.${'x'.repeat(50)}`)
    const email = `nameless.${'x'.repeat(50)}@a.rather.long.example.com`
    const { session } = await sessionOf({ ...who, email })
    expect(session.operator).toMatchObject({ email, name: email.slice(0, 64) })
  })

  test('is bound to the account of their verified e-mail, about which owners are told, and nobody else ever is', async () => {
    const email = 'kept@example.com'
    await hire(world, { email, role: 'viewer' })
    await world.query('UPDATE operators SET first_signed_in_at = business_now() WHERE email = $1', [email])
    const id = await idOf(world, email)
    expect((await sessionOf(person('kept'))).session.operator.id).toBe(id)
    expect((await rowOf(email))?.['subject']).toBe('sub-kept')
    const alerts = await world.query<{ detail: unknown }>(
      `SELECT detail FROM alerts WHERE kind = 'factor_changed' AND subject = $1`,
      [id],
    )
    expect(alerts).toEqual([{ detail: { change: 'identity_bound' } }])
    const thief = person('kept', { sub: 'sub-thief' })
    expect(await problemOf(signIn(thief))).toBe('forbidden')
    expect(await lastFailure()).toEqual({ reason: 'identity_not_admitted', email })
    expect((await rowOf(email))?.['subject']).toBe('sub-kept')
  })

  test('with an e-mail that is another account’s now still has their own alone', async () => {
    await sessionOf(person('first'))
    await hire(world, { email: 'second@example.com', role: 'owner' })
    const moved = person('first', { email: 'second@example.com' })
    expect((await sessionOf(moved)).session.operator.email).toBe('first@example.com')
    expect((await rowOf('second@example.com'))?.['subject']).toBe(null)
  })

  test.each([
    ['an e-mail that is not verified', false],
    ['an e-mail of which nothing is said', null],
  ])('with %s is bound to nothing', async (_what, said) => {
    await hire(world, { email: 'unverified@example.com', role: 'viewer' })
    const { email_verified: _verified, ...rest } = person('unverified')
    const who = said === null ? rest : { ...rest, email_verified: said }
    expect(await problemOf(signIn(who))).toBe('forbidden')
    expect((await rowOf('unverified@example.com'))?.['subject']).toBe(null)
  })

  test('is refused where their account is closed', async () => {
    await sessionOf(person('closed'))
    await world.query(`UPDATE operators SET disabled_at = business_now() WHERE email = 'closed@example.com'`)
    expect(await problemOf(signIn(person('closed')))).toBe('forbidden')
    expect(await lastFailure()).toEqual({ reason: 'account_disabled', email: 'closed@example.com' })
  })

  test('is known by e-mail and groups of the userinfo where the ID token leaves them out', async () => {
    provider.keepClaimsBack()
    expect((await sessionOf(person('brief'))).session.operator).toMatchObject({
      email: 'brief@example.com',
      role: 'viewer',
    })
  })
})

describe('the groups of a person', () => {
  test('give the role of the first that is mapped, at each sign-in, as a change that counts after a day', async () => {
    const groups = ['something-else', 'shop-desk', 'shop-money']
    const { session } = await sessionOf(person('moved', { groups }))
    expect(session.operator.role).toBe('finance')
    await sessionOf(person('moved'))
    expect((await rowOf('moved@example.com'))?.['role']).toBe('viewer')
    const changes = await world.query(
      `SELECT kind, counts_at - changed_at > interval '23 hours' AS later FROM operator_changes
       WHERE operator_id = $1 ORDER BY id`,
      [session.operator.id],
    )
    expect(changes).toEqual([
      { kind: 'made', later: true },
      { kind: 'role', later: true },
    ])
  })

  test('keep somebody out who is in none of them, and end the sessions of their account alone', async () => {
    const { console } = await sessionOf(person('left'))
    const { console: colleague } = await sessionOf(person('stays'))
    expect(await problemOf(signIn(person('left', { groups: ['something-else'] })))).toBe('forbidden')
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
    expect((await colleague.operator.context.query()).next).toBe(null)
    expect(await lastFailure()).toEqual({ reason: 'identity_not_admitted', email: 'left@example.com' })
    expect(await problemOf(signIn(person('stranger', { groups: [] })))).toBe('forbidden')
    expect(await rowOf('stranger@example.com')).toBe(undefined)
  })

  test('leave the last owner one', async () => {
    await world.query(`UPDATE operators SET role = 'viewer' WHERE role = 'owner'`)
    await sessionOf(person('last', { groups: ['shop-owners'], amr: ['otp'] }))
    expect((await sessionOf(person('last', { amr: ['otp'] }))).session.operator.role).toBe('owner')
  })
})

describe('the second factor', () => {
  const desk = (name: string, more: Partial<Person> = {}) => person(name, { groups: ['shop-desk'], ...more })

  const stepUp = (console: Console) =>
    console.operator.revealNames.mutate({ reason: 'somebody asked on the phone' })

  test('that the provider says was used opens the console, and is the step-up while it is fresh', async () => {
    for (const said of [{ amr: ['pwd', 'otp'] }, { acr: 'mfa' }]) {
      const { console } = await sessionOf(desk(`said-${Object.keys(said)}`, said))
      expect((await console.operator.context.query()).next).toBe(null)
      await stepUp(console)
    }
  })

  test('that the provider says was used long ago opens the console and is no step-up', async () => {
    const auth_time = Math.floor(Date.now() / 1000) - 700
    const who = desk('early', { amr: ['otp'] })
    const { console } = await sessionOf(who, { claims: { auth_time } })
    expect((await console.operator.context.query()).next).toBe(null)
    expect(await problemOf(stepUp(console))).toBe('step_up_required')
  })

  test('of the provider is no step-up for a day on an account that worked without', async () => {
    const email = 'trusting@example.com'
    await hire(world, { email, role: 'operator' })
    await world.query('UPDATE operators SET first_signed_in_at = business_now() WHERE email = $1', [email])
    const who = desk('trusting', { amr: ['otp'] })
    expect(await problemOf(stepUp((await sessionOf(who)).console))).toBe('factor_not_trusted')
    await world.query(
      `UPDATE operators SET identity_trusted_from = business_now() - interval '1 second' WHERE email = $1`,
      [email],
    )
    await stepUp((await sessionOf(who)).console)
  })

  test('of ours is set up first where the provider says none and the role takes one', async () => {
    const { console } = await sessionOf(desk('unsaid', { amr: ['pwd'] }))
    expect((await console.operator.context.query()).next).toBe('enrol')
    expect(await problemOf(console.order.list.query({}))).toBe('second_factor_required')
    expect((await console.operator.startEnrolment.mutate()).ticket).not.toBe('')
  })

  test('of ours is asked for where there is one and the provider says none; until then nothing is written', async () => {
    const email = 'coded@example.com'
    await hire(world, { email, role: 'operator' })
    const answer = await signIn(desk('coded'))
    if (answer.next !== 'code') throw new Error('no code is asked for')
    expect((await rowOf(email))?.['subject']).toBe(null)
    const finish = (code: string, ticket = answer.ticket) =>
      newConsole().operator.finishSignIn.mutate({ ticket, code })
    expect(await problemOf(finish('000000'))).toBe('invalid_code')
    expect(await problemOf(finish(await codeOf(world, email), 'not-a-ticket'))).toBe('invalid_credentials')
    const { operator } = await finish(await codeOf(world, email))
    expect(operator.email).toBe(email)
    expect((await rowOf(email))?.['subject']).toBe('sub-coded')
  })

  test('is waited for five minutes', async () => {
    await hire(world, { email: 'slow@example.com', role: 'operator' })
    const answer = await signIn(desk('slow'))
    if (answer.next !== 'code') throw new Error('no code is asked for')
    await world.passTime({ minutes: 5 })
    const code = await codeOf(world, 'slow@example.com')
    const late = newConsole().operator.finishSignIn.mutate({ ticket: answer.ticket, code })
    expect(await problemOf(late)).toBe('invalid_credentials')
  })
})

describe('passwords that are switched off', () => {
  const tryPassword = (email: string) =>
    newConsole().operator.signIn.mutate({ email, password: passwordOf(email) })

  test('open nothing, with the answer of a wrong one', async () => {
    await hire(world, { email: 'off@example.com', role: 'viewer' })
    const failure = await failureOf(tryPassword('off@example.com'))
    expect(failure.problem.code).toBe('invalid_credentials')
    expect(await lastFailure()).toEqual({ reason: 'passwords_off', email: 'off@example.com' })
    expect(await newConsole().operator.signInOptions.query()).toEqual({
      identity: { name: 'Example AG' },
      passwords: 'break_glass',
    })
  })

  test('are kept for an owner whom the provider does not make either', async () => {
    const claimed = person('break.glass', { groups: ['shop-owners'] })
    expect(await problemOf(signIn(claimed))).toBe('forbidden')
    expect(await lastFailure()).toMatchObject({ reason: 'identity_not_admitted' })
    expect(await rowOf(breakGlass)).toBe(undefined)
  })

  test('are kept by one owner, also while the provider is away, whom the provider never signs in', async () => {
    await hire(world, { email: breakGlass, role: 'owner', enrolled: false })
    gate.isAway = true
    try {
      expect((await tryPassword(breakGlass)).operator.email).toBe(breakGlass)
      expect(await problemOf(newConsole().operator.signInByIdentity.mutate(nothing))).toMatch(/./)
    } finally {
      gate.isAway = false
    }
    const claimed = person('break.glass', { groups: ['shop-owners'] })
    expect(await problemOf(signIn(claimed))).toBe('forbidden')
    expect((await rowOf(breakGlass))?.['subject']).toBe(null)
  })

  test('of an account that is an owner no more opens nothing either', async () => {
    await hire(world, { email: breakGlass, role: 'owner', enrolled: false })
    await world.query(`UPDATE operators SET role = 'viewer' WHERE email = $1`, [breakGlass])
    expect(await problemOf(tryPassword(breakGlass))).toBe('invalid_credentials')
  })
})
