import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { guardedPermissions, needsSecondFactor, OperatorRole, permissions } from '@meridian/contracts'
import { callTRPCProcedure, TRPCError } from '@trpc/server'
import { describe, expect, test } from 'vitest'
import type { ConsoleContext } from '../../src/doors/trpc/console-call.ts'
import type { Access } from '../../src/doors/trpc/procedures.ts'
import { currentQueries } from '../../src/doors/trpc/route-calls.ts'
import { appRouter } from '../../src/doors/trpc/router.ts'
import type { SignedInOperator } from '../../src/operators/sign-in.ts'
import { DomainError } from '../../src/platform/errors/domain-error.ts'
import { untraced } from '../world/console.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

type Procedure = { path: string; type: 'query' | 'mutation'; access: Access }
type Defined = { _def: { type: 'query' | 'mutation' | 'subscription'; meta?: unknown } }

const isDefined = (value: unknown): value is Defined => typeof value === 'function' && '_def' in value
const isAccess = (value: unknown): value is Access =>
  typeof value === 'object' && value !== null && 'who' in value

/** Every procedure of the console's door, as the router itself knows it. */
const procedures = Object.entries(appRouter._def.procedures).map(([path, procedure]): Procedure => {
  const value: unknown = procedure
  if (!isDefined(value) || value._def.type === 'subscription') throw new Error(`${path} is no procedure`)
  const { type, meta } = value._def
  if (!isAccess(meta)) throw new Error(`${path} does not say who may call it`)
  return { path, type, access: meta }
})

const somebody = (role: OperatorRole, changes: Partial<SignedInOperator> = {}): SignedInOperator => ({
  operator: {
    id: '01900000-0000-7000-8000-000000000000',
    email: `${role}@example.com`,
    name: role,
    role,
    mustChangePassword: false,
  },
  sessionId: '01900000-0000-7000-8000-000000000001',
  at: new Date(),
  enrolled: true,
  identityFactor: false,
  bound: false,
  provenAt: new Date(),
  factorTrustedFrom: new Date(0),
  passwordProvenAt: new Date(),
  trustsNewFactor: false,
  wroteAt: null,
  namesRevealedAt: null,
  ...changes,
})

/** How a call without any input ends: the checks of the caller come before those of the input. */
async function endOf({ path, type }: Procedure, session: SignedInOperator | null): Promise<string> {
  const ctx: ConsoleContext = {
    services: world.services,
    findSession: async () => session,
    from: { address: '203.0.113.7', userAgent: 'test', requestId: 'walk' },
    language: 'en',
  }
  const call = { router: appRouter, path, type, ctx, getRawInput: async () => undefined }
  try {
    await callTRPCProcedure({ ...call, signal: undefined, batchIndex: 0 })
    return 'done'
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error
    return error.cause instanceof DomainError ? error.cause.code : error.code
  }
}

/** Would do what they say, for want of an input that could be missing. */
const withoutInput = ['operator.signOut', 'operator.giveUpSecondFactor', 'operator.renewRecoveryCodes']
const atWork = procedures.filter(({ access }) => access.who === 'operator')
const withSession = procedures.filter(({ access }) => access.who !== 'anybody')

test('the walk sees the whole door', () => {
  expect(procedures.length).toBeGreaterThan(30)
  expect(procedures.filter(({ access }) => access.who === 'anybody').map(({ path }) => path)).toEqual([
    'operator.signIn',
    'operator.signInOptions',
    'operator.identityAuthority',
    'operator.signInByIdentity',
    'operator.finishSignIn',
  ])
})

test('what is named as read from the primary is a query, and each query of one thing is named', () => {
  const queries = procedures.filter(({ type }) => type === 'query').map(({ path }) => path)
  expect([...currentQueries].filter((path) => !queries.includes(path))).toEqual([])
  expect(queries.filter((path) => path.endsWith('.detail') && !currentQueries.has(path))).toEqual([])
})

describe('authorisation of every procedure', () => {
  test('without a session there is nothing but signing in', async () => {
    for (const procedure of withSession)
      expect([procedure.path, await endOf(procedure, null)]).toEqual([procedure.path, 'unauthenticated'])
  })

  test('with a first password there is nothing but one’s own account', async () => {
    const { operator } = somebody('owner')
    const beginner = somebody('owner', { operator: { ...operator, mustChangePassword: true } })
    for (const procedure of procedures.filter(({ access }) => ['account', 'operator'].includes(access.who)))
      expect([procedure.path, await endOf(procedure, beginner)]).toEqual([
        procedure.path,
        'password_change_required',
      ])
  })

  test.each(OperatorRole.options.filter(needsSecondFactor))(
    'without a second factor there is nothing for %s to do',
    async (role) => {
      for (const procedure of atWork)
        expect([procedure.path, await endOf(procedure, somebody(role, { enrolled: false }))]).toEqual([
          procedure.path,
          'second_factor_required',
        ])
    },
  )

  test.each(OperatorRole.options)(
    '%s may do what the table of permissions says, and nothing else',
    async (role) => {
      for (const procedure of atWork.filter(({ path }) => !withoutInput.includes(path))) {
        const { permission } = procedure.access
        const may = permission === undefined || permissions[permission].some((allowed) => allowed === role)
        const end = await endOf(procedure, somebody(role))
        expect([procedure.path, end === 'forbidden' ? 'forbidden' : 'may']).toEqual([
          procedure.path,
          may ? 'may' : 'forbidden',
        ])
      }
    },
  )

  test('what is guarded wants a second factor that was shown in the last ten minutes', async () => {
    const elevenMinutesAgo = new Date(Date.now() - 11 * 60_000)
    const guarded = atWork.filter(({ access }) => access.proof)
    expect(guarded.length).toBeGreaterThan(5)
    for (const procedure of guarded) {
      const stale = await endOf(procedure, somebody('owner', { provenAt: elevenMinutesAgo }))
      const never = await endOf(procedure, somebody('owner', { provenAt: null }))
      expect([procedure.path, stale, never]).toEqual([procedure.path, 'step_up_required', 'step_up_required'])
    }
  })
})

describe('every mutation', () => {
  const mutations = procedures.filter(({ type }) => type === 'mutation')

  /**
   * One's own account and dashboard, what one has seen or keeps at hand, and what everybody keeps of the lists they may
   * read: views, and files, each by its list's permission.
   */
  const own = /^(operator|view|export)\.|^note\.seeMentions$|^checklist\.(hide|restore)$|^search\.(un)?pin$/

  test('belongs to a permission, or is about one’s own', () => {
    const free = mutations.filter(({ access }) => access.permission === undefined)
    expect(free.map(({ path }) => path).filter((path) => !own.test(path))).toEqual([])
  })

  test('of a guarded permission wants the second factor', () => {
    const careless = mutations.filter(
      ({ access }) => access.permission && guardedPermissions.includes(access.permission) && !access.proof,
    )
    expect(careless.map(({ path }) => path)).toEqual([])
  })

  test('is called by a test, where the console of the tests sees whether it left its trace in the audit log', () => {
    const folder = join(import.meta.dirname, '..')
    const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(folder, file), 'utf8').replace(/\s+/g, ''))
      .join('\n')
    expect(mutations.map(({ path }) => path).filter((path) => !tests.includes(`${path}.mutate(`))).toEqual([])
    expect(Object.keys(untraced).filter((path) => !mutations.some((known) => known.path === path))).toEqual(
      [],
    )
  })
})
