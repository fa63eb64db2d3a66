import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hire, openConsole, passwordOf, problemOf, signedInConsole, signInAs } from '../world/console.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const owner = useConsole(world, 'owner')

const idOf = async (email: string) => {
  const [row] = await world.query<{ id: string }>('SELECT id FROM operators WHERE email = $1', [email])
  return { operatorId: row?.id ?? '' }
}
const someone = async (role: 'viewer' | 'operator' | 'finance' | 'owner') => {
  const email = `${role}-${randomUUID().slice(0, 8)}@example.com`
  const { console, token } = await signedInConsole(world, { email, role })
  return { email, console, token, ...(await idOf(email)) }
}

describe('the staff', () => {
  test('is listed page by page in the order they came, and filtered by role and state', async () => {
    const closed = await someone('finance')
    await owner.staff.disable.mutate({ operatorId: closed.operatorId })
    const first = await owner.staff.list.query({ limit: 1 })
    expect(first.items.map(({ email }) => email)).toEqual(['owner@example.com'])
    const second = await owner.staff.list.query({ limit: 1, cursor: first.nextCursor ?? '' })
    expect(second.items).toHaveLength(1)
    const back = await owner.staff.list.query({ limit: 1, cursor: second.previousCursor ?? '' })
    expect(back.items).toEqual(first.items)
    const gone = await owner.staff.list.query({ role: 'finance', state: 'disabled' })
    expect(gone.items.map(({ email }) => email)).toContain(closed.email)
    expect((await owner.staff.list.query({ role: 'finance', state: 'enabled' })).items).not.toContainEqual(
      expect.objectContaining({ email: closed.email }),
    )
  })

  test('is shown one by one with sessions, never with anything secret', async () => {
    const { operatorId, email } = await someone('operator')
    const detail = await owner.staff.detail.query({ operatorId })
    expect(detail).toMatchObject({
      email,
      role: 'operator',
      enrolled: true,
      openSessions: 1,
      unusedRecoveryCodes: 0,
    })
    expect(detail.sessions).toEqual([
      expect.objectContaining({ address: '203.0.113.7', userAgent: 'test browser', isCurrent: false }),
    ])
    expect(JSON.stringify(detail)).not.toMatch(/argon2|hash|sealed/i)
    expect(await problemOf(owner.staff.detail.query({ operatorId: randomUUID() }))).toBe('not_found')
  })
})

describe('an invitation', () => {
  test('makes an account with a one-time password that opens nothing but its change', async () => {
    const email = 'Invited@Example.com'
    const invited = await owner.staff.invite.mutate({ email, name: 'Invited', role: 'viewer' })
    expect(Math.round((invited.expiresAt.getTime() - Date.now()) / 3_600_000)).toBe(24)
    const { token, operator } = await openConsole(world).operator.signIn.mutate({
      email,
      password: invited.password,
    })
    expect(operator).toMatchObject({ email: 'invited@example.com', mustChangePassword: true, role: 'viewer' })
    expect(await problemOf(openConsole(world, { session: token }).order.list.query({}))).toBe(
      'password_change_required',
    )
    const audited = await world.query(`SELECT after::text FROM audit_entries WHERE action = 'staff.invite'`)
    expect(JSON.stringify(audited)).not.toContain(invited.password)
  })

  test('is not given twice to one address', async () => {
    const again = { email: 'OWNER@example.com', name: 'Again', role: 'viewer' } as const
    expect(await problemOf(owner.staff.invite.mutate(again))).toBe('email_taken')
  })
})

describe('an account', () => {
  test('has another role from its next call on', async () => {
    const { console, operatorId } = await someone('viewer')
    await owner.staff.changeRole.mutate({ operatorId, role: 'operator' })
    expect((await console.operator.context.query()).operator.role).toBe('operator')
    const [entry] = await world.query(
      `SELECT before, after FROM audit_entries WHERE action = 'staff.change_role' AND subject_id = $1`,
      [operatorId],
    )
    expect(entry).toEqual({ before: { role: 'viewer' }, after: { role: 'operator' } })
  })

  test('that is closed is out at once, and back when it is opened again', async () => {
    const { console, operatorId, email } = await someone('operator')
    await owner.staff.disable.mutate({ operatorId })
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
    expect(await problemOf(signInAs(world, email))).toBe('invalid_credentials')
    await owner.staff.enable.mutate({ operatorId })
    expect((await signInAs(world, email)).operator.email).toBe(email)
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
  })

  test('whose password is reset has a new one for a day, and no session', async () => {
    const { console, operatorId, email } = await someone('viewer')
    const { password } = await owner.staff.resetPassword.mutate({ operatorId })
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
    expect(await problemOf(signInAs(world, email))).toBe('invalid_credentials')
    expect((await signInAs(world, email, password)).operator.mustChangePassword).toBe(true)
  })

  test('whose authenticator is lost sets up another one', async () => {
    const { console, operatorId, email } = await someone('finance')
    await owner.staff.resetSecondFactor.mutate({ operatorId })
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
    const { token } = await openConsole(world).operator.signIn.mutate({ email, password: passwordOf(email) })
    expect((await openConsole(world, { session: token }).operator.context.query()).next).toBe('enrol')
  })

  test('loses a session that an owner ends, and no other', async () => {
    const { console, operatorId, email } = await someone('viewer')
    const elsewhere = openConsole(world, { session: (await signInAs(world, email)).token })
    const { sessions } = await owner.staff.detail.query({ operatorId })
    const mine = (await console.operator.account.query()).sessions.find(({ isCurrent }) => isCurrent)
    expect(sessions).toHaveLength(2)
    await owner.staff.revokeSession.mutate({ sessionId: mine?.id ?? '' })
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
    expect((await elsewhere.operator.context.query()).operator.email).toBe(email)
  })
})

describe('the last owner', () => {
  test('is neither demoted nor closed', async () => {
    await using small = await openTestWorld()
    const { console } = await signedInConsole(small, { email: 'only@example.com' })
    await hire(small, { email: 'finance@example.com', role: 'finance' })
    const operatorId = (await console.operator.context.query()).operator.id
    expect(await problemOf(console.staff.changeRole.mutate({ operatorId, role: 'finance' }))).toBe(
      'last_owner',
    )
    expect(await problemOf(console.staff.disable.mutate({ operatorId }))).toBe('last_owner')
    const { console: other } = await signedInConsole(small, { email: 'second@example.com' })
    const otherId = (await other.operator.context.query()).operator.id
    const both = await Promise.allSettled([
      console.staff.changeRole.mutate({ operatorId: otherId, role: 'viewer' }),
      other.staff.disable.mutate({ operatorId }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(
      await small.query(`SELECT count(*)::int FROM operators WHERE role = 'owner' AND disabled_at IS NULL`),
    ).toEqual([{ count: 1 }])
  })
})

describe('one’s own account', () => {
  test('shows its sessions and ends one of them', async () => {
    const { console, email, token } = await someone('operator')
    const elsewhere = openConsole(world, { session: (await signInAs(world, email)).token })
    const account = await elsewhere.operator.account.query()
    expect(account).toMatchObject({ enrolled: true, required: true, unusedRecoveryCodes: 0 })
    expect(account.sessions).toHaveLength(2)
    const other = account.sessions.find(({ isCurrent }) => !isCurrent)
    expect(JSON.stringify(account)).not.toContain(token)
    await elsewhere.operator.revokeSession.mutate({ sessionId: other?.id ?? '' })
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
    expect((await elsewhere.operator.account.query()).sessions).toHaveLength(1)
  })

  test('ends no session of somebody else', async () => {
    const { console } = await someone('viewer')
    const [foreign] = (await owner.operator.account.query()).sessions
    const sessionId = foreign?.id ?? ''
    expect(await problemOf(console.operator.revokeSession.mutate({ sessionId }))).toBe('not_found')
    expect((await owner.operator.context.query()).operator.role).toBe('owner')
  })
})

describe('the audit log', () => {
  test('shows an owner everybody’s acts, newest first, by who, what, to whom and when', async () => {
    const { operatorId, email } = await someone('viewer')
    await owner.staff.changeRole.mutate({ operatorId, role: 'operator' })
    await owner.staff.changeRole.mutate({ operatorId, role: 'viewer' })
    const of = (filter: object) => owner.audit.list.query({ search: operatorId, ...filter })
    const { items } = await of({})
    expect(items.map(({ action }) => action)).toEqual(['staff.change_role', 'staff.change_role'])
    expect(items[0]).toMatchObject({
      operatorEmail: 'owner@example.com',
      subjectType: 'operator',
      subjectId: operatorId,
    })
    expect(
      (await owner.audit.list.query({ operator: email.toUpperCase() })).items.map(({ action }) => action),
    ).toEqual(['operator.sign_in'])
    expect((await of({ action: 'staff.disable' })).items).toEqual([])
    expect((await of({ from: new Date(Date.now() + 60_000) })).items).toEqual([])
    expect((await of({ to: new Date(Date.now() + 60_000) })).items).toHaveLength(2)
    const [newest] = items
    expect((await owner.audit.list.query({ search: newest?.requestId ?? '' })).items).toEqual([newest])
    expect(await owner.audit.count.query({ search: operatorId })).toEqual({ count: 2, more: false })
    expect(await owner.audit.detail.query({ id: newest?.id ?? '' })).toEqual({
      ...newest,
      before: { role: 'operator' },
      after: { role: 'viewer' },
    })
    expect((await owner.audit.actions.query()).items).toEqual(
      expect.arrayContaining(['operator.sign_in', 'staff.change_role']),
    )
  })

  test('is read page by page, forwards and backwards', async () => {
    const pages = await owner.audit.list.query({ limit: 2 })
    const next = await owner.audit.list.query({ limit: 2, cursor: pages.nextCursor ?? '' })
    expect(next.items).toHaveLength(2)
    const ids = [...pages.items, ...next.items].map(({ id }) => Number(id))
    expect(ids).toEqual([...ids].sort((one, other) => other - one))
    const back = await owner.audit.list.query({ limit: 2, cursor: next.previousCursor ?? '' })
    expect(back.items).toEqual(pages.items)
  })

  test('shows everybody else their own acts only', async () => {
    const { console, email } = await someone('viewer')
    const { items } = await console.audit.list.query({})
    expect(new Set(items.map(({ operatorEmail }) => operatorEmail))).toEqual(new Set([email]))
    expect((await console.audit.list.query({ operator: 'owner@example.com' })).items).toEqual([])
    const [foreign] = (await owner.audit.list.query({ operator: 'owner@example.com' })).items
    expect(await problemOf(console.audit.detail.query({ id: foreign?.id ?? '' }))).toBe('not_found')
    expect((await console.audit.count.query({})).count).toBe(items.length)
  })
})
