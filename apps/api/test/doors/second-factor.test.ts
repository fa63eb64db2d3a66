import { Secret } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { codeAt } from '../../src/operators/totp.ts'
import {
  type Console,
  codeOf,
  failureOf,
  hire,
  openConsole,
  passwordOf,
  problemOf,
  signedInConsole,
  signInAnew,
  signInAs,
} from '../world/console.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

const aMinute = 60_000
const signIn = (email: string, code?: string) =>
  openConsole(world).operator.signIn.mutate({ email, password: passwordOf(email), ...(code && { code }) })
const audited = async (email: string) => {
  const rows = await world.query<{ action: string }>(
    'SELECT action FROM audit_entries a JOIN operators o ON o.id = a.operator_id WHERE email = $1 ORDER BY a.id',
    [email],
  )
  return rows.map(({ action }) => action)
}

/** Sets an authenticator up as the page does; answers what it holds. */
async function enrol(console: Console) {
  const { secret, uri, ticket } = await console.operator.startEnrolment.mutate()
  const bytes = Secret.fromBase32(secret).bytes
  const code = codeAt(bytes)
  const { recoveryCodes } = await console.operator.confirmEnrolment.mutate({ ticket, code })
  return { bytes, uri, ticket, code, recoveryCodes }
}

describe('setting an authenticator up', () => {
  test.each(['operator', 'finance', 'owner'] as const)('is the first thing a new %s does', async (role) => {
    const email = `new-${role}@example.com`
    await hire(world, { email, role, enrolled: false })
    const console = openConsole(world, { session: (await signIn(email)).token })
    expect(await console.operator.context.query()).toMatchObject({
      next: 'enrol',
      secondFactor: { enrolled: false, required: true },
    })
    expect(await problemOf(console.order.list.query({}))).toBe('second_factor_required')
    await enrol(console)
    expect(await console.operator.context.query()).toMatchObject({
      next: null,
      secondFactor: { enrolled: true, required: true },
    })
    expect((await console.order.list.query({})).items).toEqual([])
  })

  test('comes after the first password was changed', async () => {
    const email = 'first-password@example.com'
    await hire(world, { email, mustChangePassword: true, enrolled: false })
    const console = openConsole(world, { session: (await signIn(email)).token })
    expect((await console.operator.context.query()).next).toBe('change_password')
    expect(await problemOf(console.operator.startEnrolment.mutate())).toBe('password_change_required')
  })

  test('is up to the others', async () => {
    const { console } = await signedInConsole(world, { email: 'free@example.com', role: 'viewer' })
    expect(await console.operator.context.query()).toMatchObject({
      next: null,
      secondFactor: { enrolled: false, required: false },
    })
    await enrol(console)
    expect((await console.operator.context.query()).secondFactor.enrolled).toBe(true)
    expect(await console.operator.giveUpSecondFactor.mutate()).toEqual({ given: true })
    expect((await signIn('free@example.com')).operator.role).toBe('viewer')
  })

  test('keeps the secret sealed, the recovery codes hashed, and shows both once', async () => {
    const email = 'sealed@example.com'
    await hire(world, { email, enrolled: false })
    const console = openConsole(world, { session: (await signIn(email)).token })
    const { bytes, uri, recoveryCodes } = await enrol(console)
    expect(uri).toMatch(
      /^otpauth:\/\/totp\/Meridian:sealed%40example\.com\?issuer=Meridian&secret=[A-Z2-7]{32}&/,
    )
    expect(recoveryCodes).toHaveLength(10)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes)
      expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{6}(-[0-9a-hjkmnp-tv-z]{5}){4}$/)
    const stored = await world.query(
      `SELECT o::text || coalesce(string_agg(r::text, ''), '') AS row
         FROM operators o LEFT JOIN recovery_codes r ON r.operator_id = o.id WHERE email = $1 GROUP BY o.*`,
      [email],
    )
    const text = JSON.stringify(stored)
    expect(text).not.toContain(Buffer.from(bytes).toString('hex'))
    for (const code of recoveryCodes) {
      expect(text).not.toContain(code)
      expect(text).not.toContain(Buffer.from(code).toString('hex'))
    }
  })

  test('takes a first code of that authenticator, for that operator, in time', async () => {
    await hire(world, { email: 'ticket@example.com', enrolled: false })
    const console = openConsole(world, { session: (await signIn('ticket@example.com')).token })
    const { ticket } = await console.operator.startEnrolment.mutate()
    const confirm = (by: Console, code: string, of = ticket) =>
      problemOf(by.operator.confirmEnrolment.mutate({ ticket: of, code }))
    expect(await confirm(console, '000000')).toBe('invalid_code')
    expect(await confirm(console, '123456', 'x'.repeat(120))).toBe('invalid_request')
    const { console: other } = await signedInConsole(world, { email: 'other-ticket@example.com' })
    expect(await confirm(other, '123456')).toBe('invalid_request')
    expect((await console.operator.context.query()).next).toBe('enrol')
    expect(await audited('ticket@example.com')).toEqual(['operator.sign_in', 'operator.wrong_code'])
  })

  test('ends the sessions that were opened without it', async () => {
    const email = 'elsewhere@example.com'
    await hire(world, { email, enrolled: false })
    const elsewhere = openConsole(world, { session: (await signIn(email)).token })
    await enrol(openConsole(world, { session: (await signIn(email)).token }))
    expect(await problemOf(elsewhere.operator.context.query())).toBe('unauthenticated')
  })

  test('again needs the present one, which counts until the new one has shown a code', async () => {
    const email = 'again@example.com'
    const { console } = await signedInConsole(world, { email })
    await console.operator.startEnrolment.mutate()
    expect((await signInAs(world, email)).operator.email).toBe(email)
    await letProofsPass()
    expect(await problemOf(console.operator.startEnrolment.mutate())).toBe('step_up_required')
    await console.operator.prove.mutate({ code: await codeOf(world, email) })
    await console.operator.provePassword.mutate({ password: passwordOf(email) })
    const { bytes } = await enrol(console)
    expect(await problemOf(signIn(email, await codeOf(world, email)))).toBe('invalid_code')
    expect((await signIn(email, codeAt(bytes, Date.now() + 30_000))).operator.email).toBe(email)
  })
})

describe('signing in with a second factor', () => {
  test('takes password and code; the password alone is answered with "code required"', async () => {
    const email = 'both@example.com'
    await hire(world, { email })
    expect(await failureOf(signIn(email))).toMatchObject({
      code: 'UNAUTHORIZED',
      httpStatus: 401,
      problem: { code: 'code_required' },
    })
    const wrongPassword = openConsole(world).operator.signIn.mutate({
      email,
      password: 'not the password',
      code: await codeOf(world, email),
    })
    expect(await problemOf(wrongPassword)).toBe('invalid_credentials')
    expect((await signIn(email, await codeOf(world, email))).operator.email).toBe(email)
  })

  test('takes each code once, also when it is shown twice at the same instant', async () => {
    const email = 'replay@example.com'
    await hire(world, { email })
    const code = await codeOf(world, email)
    const both = await Promise.allSettled([signIn(email, code), signIn(email, code)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await problemOf(signIn(email, code))).toBe('invalid_code')
    expect(await audited(email)).toEqual(expect.arrayContaining(['operator.sign_in', 'operator.wrong_code']))
  })

  test('forgives a clock that is half a minute off, and not one that is more', async () => {
    const email = 'clock@example.com'
    await hire(world, { email, enrolled: false })
    const { bytes } = await enrol(openConsole(world, { session: (await signIn(email)).token }))
    const at = async (offsetMs: number): Promise<'in' | 'refused'> => {
      await world.query('UPDATE operators SET totp_step = NULL WHERE email = $1', [email])
      const step = Math.floor(Date.now() / 30_000)
      const answer = await signIn(email, codeAt(bytes, Date.now() + offsetMs)).then(
        () => 'in' as const,
        () => 'refused' as const,
      )
      // The clock has gone on to the next step meanwhile: that says nothing.
      return step === Math.floor(Date.now() / 30_000) ? answer : at(offsetMs)
    }
    expect(await at(-30_000)).toBe('in')
    expect(await at(30_000)).toBe('in')
    expect(await at(-2 * aMinute)).toBe('refused')
    expect(await at(2 * aMinute)).toBe('refused')
  })

  test('takes a recovery code in place of the authenticator, once, however it is typed', async () => {
    const email = 'recovery@example.com'
    await hire(world, { email, enrolled: false })
    const console = openConsole(world, { session: (await signIn(email)).token })
    const [first = '', second = '', third = ''] = (await enrol(console)).recoveryCodes
    expect((await signIn(email, first)).operator.email).toBe(email)
    expect(await problemOf(signIn(email, first))).toBe('invalid_code')
    expect((await signIn(email, ` ${second.replaceAll('-', ' ').toUpperCase()} `)).operator.email).toBe(email)
    const { recoveryCodes } = await console.operator.renewRecoveryCodes.mutate()
    expect(recoveryCodes).toHaveLength(10)
    expect(await problemOf(signIn(email, third))).toBe('invalid_code')
    expect((await signIn(email, recoveryCodes[9])).operator.email).toBe(email)
  })

  test('takes a recovery code as it is read off paper, and one of before they were longer', async () => {
    const email = 'on-paper@example.com'
    await hire(world, { email, enrolled: false })
    const console = openConsole(world, { session: (await signIn(email)).token })
    await enrol(console)
    const keep = (code: string) =>
      world.query(
        `INSERT INTO recovery_codes (operator_id, code_hash)
         SELECT id, sha256(convert_to($2, 'UTF8')) FROM operators WHERE email = $1`,
        [email, code],
      )
    await keep('01a1b2c3d4e5f6g7h8j9k0m1n0')
    const asRead = ' ｏIa1b2–c3D4e 5f6g7—h8j9k OmLnO '
    expect((await signIn(email, asRead)).operator.email).toBe(email)
    await keep('abcdefghuuzz2345')
    expect((await signIn(email, 'ABCD-efgh-uuzz-2345')).operator.email).toBe(email)
    expect(await problemOf(signIn(email, 'abcd-efgh-uuzz-2345'))).toBe('invalid_code')
  })

  test('is slowed down after ten wrong codes, from whatever address, and only for who knows the password', async () => {
    const email = 'guessed@example.com'
    await hire(world, { email })
    const guess = (turn: number, password = passwordOf(email), code = '000000') =>
      problemOf(
        openConsole(world, { browser: { address: `198.51.100.${turn}` } }).operator.signIn.mutate({
          email,
          password,
          code,
        }),
      )
    for (let turn = 0; turn < 9; turn++)
      expect(await guess(turn, 'not the password')).toBe('invalid_credentials')
    for (let turn = 20; turn < 30; turn++) expect(await guess(turn)).toBe('invalid_code')
    expect(await guess(31, passwordOf(email), await codeOf(world, email))).toBe('rate_limited')
  })
})

const letProofsPass = () => world.passTime({ minutes: 10, seconds: 1 })

describe('what is guarded', () => {
  test('asks for the second factor again after ten minutes, and a code opens it', async () => {
    const email = 'guarded@example.com'
    const { console } = await signedInConsole(world, { email })
    await world.passTime({ minutes: 9 })
    expect((await console.operator.renewRecoveryCodes.mutate()).recoveryCodes).toHaveLength(10)
    await world.passTime({ minutes: 1, seconds: 1 })
    expect(await failureOf(console.operator.renewRecoveryCodes.mutate())).toMatchObject({
      code: 'FORBIDDEN',
      problem: { code: 'step_up_required' },
    })
    expect(await problemOf(console.operator.prove.mutate({ code: '000000' }))).toBe('invalid_code')
    const { provenUntil } = await console.operator.prove.mutate({ code: await codeOf(world, email) })
    expect(Math.round((provenUntil.getTime() - world.services.runtime.now().getTime()) / aMinute)).toBe(10)
    await console.operator.provePassword.mutate({ password: passwordOf(email) })
    expect((await console.operator.renewRecoveryCodes.mutate()).recoveryCodes).toHaveLength(10)
    expect(await audited(email)).toContain('operator.prove')
  })

  test('is proven by the session that showed it, and by no other', async () => {
    const email = 'two-sessions@example.com'
    const { console } = await signedInConsole(world, { email })
    const { console: elsewhere } = await signInAnew(world, email)
    await letProofsPass()
    await console.operator.prove.mutate({ code: await codeOf(world, email) })
    expect(await problemOf(elsewhere.operator.renewRecoveryCodes.mutate())).toBe('step_up_required')
  })

  test('is closed to who has no second factor at all', async () => {
    const { console } = await signedInConsole(world, {
      email: 'without@example.com',
      role: 'viewer',
    })
    expect((await console.order.list.query({})).items).toEqual([])
    expect(await problemOf(console.operator.prove.mutate({ code: '123456' }))).toBe('second_factor_required')
    expect(await problemOf(console.operator.renewRecoveryCodes.mutate())).toBe('second_factor_required')
  })

  test.each(['operator', 'finance'] as const)('%s cannot give it up', async (role) => {
    const { console } = await signedInConsole(world, { email: `keeps-${role}@example.com`, role })
    expect(await problemOf(console.operator.giveUpSecondFactor.mutate())).toBe('forbidden')
  })
})
