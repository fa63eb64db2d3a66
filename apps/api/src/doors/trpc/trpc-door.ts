import type { TRPCError } from '@trpc/server'
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findSession, type SignedInOperator } from '../../operators/sign-in.ts'
import type { Secrets } from '../../platform/crypto/seal.ts'
import { verifyToken } from '../../platform/crypto/verify-token.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { limitRules } from '../../platform/limits/open-limits.ts'
import { nextSlice } from '../../platform/streams/event-loop-turns.ts'
import type { Services } from '../../services.ts'
import { calledPath, noteFacts } from '../log-requests.ts'
import { languageOf } from '../problem.ts'
import type { ConsoleContext } from './console-call.ts'
import { type AppRouter, appRouter } from './router.ts'

const Claims = z.object({ address: z.string().max(64), user_agent: z.string().max(512) })

/** The browser behind a call, as the console saw it. */
type Browser = { address: string; userAgent: string }

/** Reads the token that only our console can make; null for anything else. */
async function readConsoleToken(authSecrets: Secrets, token: string | undefined): Promise<Browser | null> {
  if (!token) return null
  try {
    const { payload } = await verifyToken(authSecrets, token, {
      audience: 'meridian-console',
      maxTokenAge: '90s',
    })
    const claims = Claims.parse(payload)
    return { address: claims.address, userAgent: claims.user_agent }
  } catch {
    return null
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The browser behind the console, in the console's private scope. */
    browser: Browser | null
  }
}

export const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** How many procedures a request calls: a batch names them with commas between. */
const callsIn = (request: FastifyRequest): number => calledPath(request).split(',').length

const CALLS_AT_ONCE = 10

/** @throws DomainError invalid_request for a batch that would keep the door busy for everybody else */
async function boundBatch(request: FastifyRequest): Promise<void> {
  if (callsIn(request) <= CALLS_AT_ONCE) return
  const message = {
    zh: `一次最多 ${CALLS_AT_ONCE} 个调用`,
    en: `holds at most ${CALLS_AT_ONCE} calls`,
  }
  await nextSlice()
  throw new DomainError('invalid_request', { errors: [{ path: 'batch', message }] })
}

/**
 * Whoever calls too often is refused in a slice of long work: refusals as fast as they are asked for would keep payers
 * waiting.
 * @throws DomainError rate_limited
 */
async function spendCalls({ limits }: Services, sessionId: string, calls: number): Promise<void> {
  try {
    await limits.spend(limitRules.consoleCalls, sessionId, calls)
  } catch (error) {
    await nextSlice()
    throw error
  }
}

/** Who is signed in at the console that sends this request. */
export async function readSession(
  services: Services,
  request: FastifyRequest,
): Promise<SignedInOperator | null> {
  const token = /^Bearer ([\w-]{1,128})$/.exec(header(request, 'authorization') ?? '')?.[1]
  const session = token ? await services.reads.read('primary', () => findSession(services, token)) : null
  if (session) noteFacts(request, { operator: session.operator.id })
  if (session) await spendCalls(services, session.sessionId, callsIn(request))
  return session
}

function contextOf(services: Services, request: FastifyRequest): ConsoleContext {
  const { address, userAgent } = request.browser ?? { address: request.ip, userAgent: '' }
  let session: ReturnType<typeof readSession> | undefined
  return {
    services,
    findSession: () => {
      session ??= readSession(services, request)
      return session
    },
    from: { address, userAgent, requestId: request.id },
    language: languageOf(header(request, 'accept-language')),
  }
}

/** Lets nobody in but our console: to everybody else there is nothing here. */
export async function admitConsole({ config }: Services, request: FastifyRequest): Promise<void> {
  request.browser = await readConsoleToken(config.AUTH_SECRET, header(request, 'x-console-token'))
  if (!request.browser) throw new DomainError('not_found')
  noteFacts(request, { address: request.browser.address })
}

const bodyLimit = 1024 * 1024

/** Of several calls in one request the most patient one decides when it is worth another try. */
function retryAfterOf(errors: readonly TRPCError[]): Record<string, string> {
  const seconds = errors.flatMap(({ cause }) =>
    cause instanceof DomainError ? (cause.details.retryAfterSeconds ?? []) : [],
  )
  return seconds.length === 0 ? {} : { 'retry-after': String(Math.max(...seconds)) }
}

/** The console's private door: without the token that only the console can make there is nothing here. */
export function trpcDoor(services: Services) {
  return async (app: FastifyInstance) => {
    app.decorateRequest('browser', null)
    app.addHook('onRoute', (route) => {
      route.bodyLimit = bodyLimit
    })
    app.addHook('onRequest', async (request) => {
      await admitConsole(services, request)
      await boundBatch(request)
    })
    const trpcOptions: FastifyTRPCPluginOptions<AppRouter>['trpcOptions'] = {
      router: appRouter,
      createContext: ({ req }) => contextOf(services, req),
      responseMeta: ({ errors }) => ({ headers: retryAfterOf(errors) }),
    }
    await app.register(fastifyTRPCPlugin, { prefix: '/trpc', trpcOptions })
  }
}
