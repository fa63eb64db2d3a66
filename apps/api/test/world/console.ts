import { createHash, randomUUID } from 'node:crypto'
import type { OperatorRole, ProblemCode } from '@meridian/contracts'
import { hash } from '@node-rs/argon2'
import { createTRPCClient, httpLink, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { SignJWT } from 'jose'
import superjson from 'superjson'
import { z } from 'zod'
import type { AppRouter } from '../../src/doors/trpc/router.ts'
import { firstPasswordHours } from '../../src/operators/create-operator.ts'
import { totpLabel } from '../../src/operators/second-factor.ts'
import { codeAt } from '../../src/operators/totp.ts'
import { seal } from '../../src/platform/crypto/seal.ts'
import { newId } from '../../src/platform/ids/new-id.ts'
import type { TestWorld } from './test-world.ts'

/** What the console knows of a world. */
export type ConsoleWorld = Pick<TestWorld, 'url' | 'config' | 'query' | 'services'>

export const passwordOf = (email: string) => `password of ${email}`

export type Browser = { address?: string; userAgent?: string }

/** The token that only the console can make; `changes` make it a token that it did not make. */
export function consoleToken(
  world: ConsoleWorld,
  { address = '203.0.113.7', userAgent = 'test browser' }: Browser = {},
  changes: { secret?: string; audience?: string; age?: number } = {},
): Promise<string> {
  const { secret = world.config.AUTH_SECRET[0], audience = 'meridian-console', age = 0 } = changes
  const now = Math.floor(Date.now() / 1000) - age
  return new SignJWT({ address, user_agent: userAgent })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + 60)
    .sign(Buffer.from(secret))
}

/** Mutations that change nothing worth a trace, and why. */
export const untraced: Readonly<Record<string, string>> = {
  'operator.startEnrolment': 'stores nothing: the new secret waits in the ticket',
  'import.admit': 'stores nothing: it asks for what an upload takes, before a large file is sent',
}

/** Whether the request left a trace in the audit log. */
async function isTraced(world: ConsoleWorld, requestId: string): Promise<boolean> {
  const rows = await world.query('SELECT 1 FROM audit_entries WHERE request_id = $1 LIMIT 1', [requestId])
  return rows.length > 0
}

/**
 * Every act with an effect that succeeds in any test must have left its trace. A test that does again what is done
 * already says so: `mutate(input, { context: { changesNothing: true } })`.
 */
const expectTraces =
  (world: ConsoleWorld, requestIdOf: (op: { id: number }) => string): TRPCLink<AppRouter> =>
  () =>
  ({ op, next }) => {
    const { changesNothing } = op.context
    if (op.type !== 'mutation' || changesNothing === true || untraced[op.path] !== undefined) return next(op)
    return observable((observer) =>
      next(op).subscribe({
        next: async (value) => {
          if (!(await isTraced(world, requestIdOf(op))))
            return observer.error(new TRPCClientError(`${op.path} left no trace in the audit log`))
          observer.next(value)
          observer.complete()
        },
        error: (error) => observer.error(error),
      }),
    )
  }

export type Visit = { session?: string; browser?: Browser; headers?: Record<string, string> }

/** The console in a browser: tRPC over HTTP with the token of the console and, once signed in, of the session. */
export function openConsole(world: ConsoleWorld, { session, browser = {}, headers = {} }: Visit = {}) {
  const visit = randomUUID()
  const given = ({ id }: { id: number }) => `${visit}-${id}`
  const answered = new Map<string | null, string>()
  const requestIdOf = (op: { id: number }) => answered.get(given(op)) ?? ''
  return createTRPCClient<AppRouter>({
    links: [
      expectTraces(world, requestIdOf),
      httpLink({
        url: `${world.url}/trpc`,
        transformer: superjson,
        headers: async ({ op }) => ({
          'x-console-token': await consoleToken(world, browser),
          'x-request-id': given(op),
          ...(session && { authorization: `Bearer ${session}` }),
          ...headers,
        }),
        // The API names each request itself: under that name an act stands in the audit log.
        fetch: async (url, options) => {
          const request = new Request(url, { ...options, signal: options?.signal ?? null })
          const response = await fetch(request)
          answered.set(request.headers.get('x-request-id'), response.headers.get('x-request-id') ?? '')
          return response
        },
      }),
    ],
  })
}
export type Console = ReturnType<typeof openConsole>

export type NewOperator = {
  email: string
  role?: OperatorRole
  mustChangePassword?: boolean
  /** Whether their authenticator is set up already: for everybody but viewers, unless it is said otherwise. */
  enrolled?: boolean
}

/** The secret in the operator's authenticator. */
const authenticatorOf = (email: string) =>
  Uint8Array.from(createHash('sha1').update(email.toLowerCase()).digest())

/** The id of an operator by their address. */
export async function idOf(world: Pick<ConsoleWorld, 'query'>, email: string): Promise<string> {
  const [found] = await world.query<{ id: string }>('SELECT id FROM operators WHERE email = $1', [
    email.toLowerCase(),
  ])
  if (!found) throw new Error(`there is no operator ${email}`)
  return found.id
}

/** Sets the operator's authenticator up, two days ago or so many hours. */
export async function enrol(world: ConsoleWorld, email: string, hoursAgo = 48) {
  const operatorId = await idOf(world, email)
  const sealed = seal(world.config.DATA_KEY, totpLabel(operatorId), authenticatorOf(email))
  await world.query(
    `UPDATE operators SET sealed_totp = $2, totp_confirmed_at = business_now() - $3 * interval '1 hour',
       factor_trusted_from = business_now() - $3 * interval '1 hour' WHERE id = $1`,
    [operatorId, Buffer.from(sealed), hoursAgo],
  )
}

/** What the operator's authenticator shows, as if they had not used it for a while. */
export async function codeOf(world: ConsoleWorld, email: string): Promise<string> {
  await world.query('UPDATE operators SET totp_step = NULL WHERE email = $1', [email.toLowerCase()])
  return codeAt(authenticatorOf(email))
}

/** The least that argon2 takes, which signing in reads from the hash: at the usual cost it would be most of a sign-in. */
const cheapest = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/**
 * An operator whose password is `passwordOf` their address and whose authenticator shows `codeOf` it: for two days
 * already, so that they are nobody new. Answers their id.
 */
export async function hire(
  world: ConsoleWorld,
  { email, role = 'owner', mustChangePassword = false, enrolled = role !== 'viewer' }: NewOperator,
) {
  await world.query(
    `WITH hired AS (
       INSERT INTO operators (id, email, name, role, password_hash, must_change_password, password_expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $6 THEN business_now() + $7 * interval '1 hour' END,
         business_now() - interval '2 days')
       ON CONFLICT (email) DO NOTHING RETURNING id, created_at)
     INSERT INTO operator_changes (operator_id, kind, changed_at, counts_at)
     SELECT id, 'made', created_at, created_at FROM hired`,
    [
      newId(),
      email.toLowerCase(),
      email,
      role,
      await hash(passwordOf(email), cheapest),
      mustChangePassword,
      firstPasswordHours,
    ],
  )
  if (enrolled) await enrol(world, email)
  return idOf(world, email)
}

/** Signs in as somebody who was hired: with a code where they have an authenticator. */
export async function signInAs(world: ConsoleWorld, email: string, password = passwordOf(email)) {
  const code = await codeOf(world, email)
  return openConsole(world).operator.signIn.mutate({ email, password, code })
}

/** Somebody who was hired, signed in anew, with the second factor shown just now where they have one. */
export async function signInAnew(world: ConsoleWorld, email: string) {
  const { token } = await signInAs(world, email)
  return { token, console: openConsole(world, { session: token }) }
}

/** A new operator of this role, signed in. */
export async function signedInConsole(world: ConsoleWorld, operator: NewOperator) {
  await hire(world, operator)
  return signInAnew(world, operator.email)
}

const Failure = z.object({
  code: z.string(),
  httpStatus: z.number(),
  problem: z.object({
    code: z.string(),
    title: z.string(),
    requestId: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
})
export type Failure = z.infer<typeof Failure>

/** How a call failed; throws when it did not. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof TRPCClientError) return Failure.parse(error.data)
  throw error instanceof Error ? error : new Error('the call did not fail')
}

/** The problem code a call failed with. */
export const problemOf = async (call: Promise<unknown>): Promise<ProblemCode | string> =>
  (await failureOf(call)).problem.code
