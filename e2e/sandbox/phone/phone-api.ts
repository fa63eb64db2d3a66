import type { Order, PlanList, Problem, Purchase, Subscription, TokenPair } from '@meridian/contracts'
import { language } from './texts.ts'
import type { User } from './users.ts'
import { wx } from './wx.ts'

export type Call = { method: string; path: string; status: number; ms: number }
type ProblemDocument = ReturnType<typeof Problem.parse>

/** What the API says went wrong; `status` 0: it could not be reached. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, problem: Partial<ProblemDocument>) {
    super(problem.detail ?? problem.title ?? '')
    this.status = status
    this.code = problem.code ?? 'unreachable'
  }
}

type CallOptions = { body?: object; headers?: Record<string, string> }

/** Calls without and with the user's token. */
function callsOf(user: User, onCall: (call: Call) => void) {
  async function send<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
    const startedAt = performance.now()
    const response = await fetch(`/api/v1${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'accept-language': language(),
        'x-client-platform': 'android',
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    }).catch(() => null)
    onCall({ method, path, status: response?.status ?? 0, ms: Math.round(performance.now() - startedAt) })
    if (response === null) throw new ApiProblem(0, {})
    const answer = response.status === 204 ? {} : await response.json().catch(() => ({}))
    if (!response.ok) throw new ApiProblem(response.status, answer)
    return answer
  }

  /** A token that has expired is renewed once; when that fails too, the user has to log in again. */
  async function signed<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
    const attempt = () => {
      const authorization = `Bearer ${user.tokens()?.access_token ?? ''}`
      return send<T>(method, path, { ...options, headers: { ...options.headers, authorization } })
    }
    try {
      return await attempt()
    } catch (error) {
      const tokens = user.tokens()
      if (!(error instanceof ApiProblem) || error.status !== 401 || tokens === null) throw error
      user.keep(null)
      user.keep(
        await send<TokenPair>('POST', '/auth/refresh', { body: { refresh_token: tokens.refresh_token } }),
      )
      return attempt()
    }
  }

  return { send, signed }
}

/** The public REST contract as the mini-program uses it, for one user. */
export function phoneApi(user: User, onCall: (call: Call) => void) {
  const { send, signed } = callsOf(user, onCall)
  const orderPath = (outTradeNo: string) => `/subscription/orders/${outTradeNo}`

  return {
    async login() {
      const { code } = await wx.login(user.name)
      user.keep(await send<TokenPair>('POST', '/auth/login', { body: { code } }))
    },
    plans: () => send<PlanList>('GET', '/subscription/plans'),
    subscription: () => signed<Subscription>('GET', '/subscription'),
    orders: () => signed<{ items: Order[] }>('GET', '/subscription/orders?limit=5'),
    purchase: (planCode: string, expectedAmountFen: number, idempotencyKey: string) =>
      signed<Purchase>('POST', '/subscription/purchase', {
        body: { plan_code: planCode, expected_amount_fen: expectedAmountFen },
        headers: { 'idempotency-key': idempotencyKey },
      }),
    sync: (outTradeNo: string) =>
      signed<{ order: Order; subscription: Subscription }>('POST', `${orderPath(outTradeNo)}/sync`),
  }
}

export type PhoneApi = ReturnType<typeof phoneApi>
