import {
  isChallenge,
  isDevice,
  isDeviceAnswer,
  isDiagnosisConfig,
  isMe,
  isMessagePermissions,
  isOrder,
  isOrderAnswer,
  isReport,
  isSubscription,
  isSyncAnswer,
  isUnbound,
  type Plan,
  pageOf,
  type Report,
} from './answers.ts'
import { type Call, type ClientSettings, openCalls } from './call-api.ts'
import { anything, type Check, isRecord } from './check.ts'
import { openPayments } from './pay.ts'
import { openAttempts } from './payment-attempt.ts'
import type { Phone } from './phone.ts'
import { builtInPlans, openPlans } from './plans.ts'
import { answered } from './problem.ts'
import { openSession, type Session } from './session.ts'

// What the API is asked for: a test compares these two types with those of the API.

export type BindRequest = {
  serial_number: string
  mac_address?: string | null | undefined
  model?: string | null | undefined
  firmware_version?: string | null | undefined
  nickname?: string | null | undefined
  /** HMAC-SHA-256(secret, nonce) as the device made it: 64 hexadecimal digits, or base64 of either alphabet. */
  proof?: string | null | undefined
}

export type ReportRequest = {
  client_report_id: string
  kind: 'scan' | 'treatment'
  serial_number?: string | null | undefined
  program_code?: string | null | undefined
  started_at: string
  ended_at: string
  score?: number | null | undefined
  summary: Record<string, unknown>
  measurements: unknown[]
}

type PageQuery = { limit?: number; cursor?: string }
type ReportQuery = PageQuery & { kind?: Report['kind']; from?: string; to?: string }

type Settings = ClientSettings & {
  /** What is shown while the plans cannot be read; the usual three when absent. */
  builtInPlans?: readonly Plan[]
}

function withQuery(path: string, query: object): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  return text ? `${path}?${text}` : path
}

const post = (body: unknown, more: Call = {}): Call => ({ method: 'POST', body, ...more })

type Caller = <Answer>(path: string, is: Check<Answer>, request?: Call) => Promise<Answer>

function ordersOf(call: Caller) {
  const pathOf = (outTradeNo: string) => `/subscription/orders/${encodeURIComponent(outTradeNo)}`
  return {
    list: (query: PageQuery = {}) => call(withQuery('/subscription/orders', query), pageOf(isOrder)),
    get: async (outTradeNo: string) => (await call(pathOf(outTradeNo), isOrderAnswer)).order,
    sync: (outTradeNo: string) => call(`${pathOf(outTradeNo)}/sync`, isSyncAnswer, post(undefined)),
    cancel: async (outTradeNo: string) =>
      (await call(`${pathOf(outTradeNo)}/cancel`, isOrderAnswer, post(undefined))).order,
  }
}

const devicesOf = (call: Caller) => ({
  list: (query: PageQuery = {}) => call(withQuery('/devices', query), pageOf(isDevice)),
  /** What a device that knows a secret must answer before it can be bound. */
  challenge: (serialNumber: string) =>
    call('/devices/bind-challenge', isChallenge, post({ serial_number: serialNumber })),
  bind: async (device: BindRequest) => (await call('/devices/bind', isDeviceAnswer, post(device))).device,
  /** Without a serial number the device that was bound last: then a repeat would end another binding. */
  unbind: async (serialNumber?: string) => {
    const request =
      serialNumber === undefined ? post(undefined, { repeats: 0 }) : post({ serial_number: serialNumber })
    return (await call('/devices/unbind', isUnbound, request)).unbound
  },
})

function reportsOf(call: Caller) {
  const pathOf = (id: string) => `/reports/${encodeURIComponent(id)}`
  return {
    /** Its `client_report_id` makes it one report, however often it is sent. */
    store: (report: ReportRequest) => call('/reports', isReport, post(report)),
    list: (query: ReportQuery = {}) => call(withQuery('/reports', query), pageOf(isReport)),
    get: (id: string) => call(pathOf(id), isReport),
    delete: async (id: string): Promise<void> =>
      void (await call(pathOf(id), anything, { method: 'DELETE' })),
  }
}

function accountOf(phone: Phone, session: Session, call: Caller) {
  return {
    get: () => call('/me', isMe),
    update: (changes: { nickname?: string | null; avatar_url?: string | null }) =>
      call('/me', isMe, { method: 'PUT', body: changes }),
    export: () => call('/me/export', isRecord, { repeats: 0 }),
    /** Ends the account for good; asks `wx.login` for a fresh code as proof. */
    erase: async (): Promise<void> => {
      const body = { confirm: 'DELETE', code: await phone.loginCode() }
      await session.call('/me', { method: 'DELETE', body, repeats: 0 })
      openAttempts(phone).forget()
      await session.logOut().catch(() => undefined)
    },
    messagePermissions: () => call('/me/message-permissions', isMessagePermissions),
    /** Counts one permission that the user has just granted for this message. */
    grantMessage: (template: string) =>
      call('/me/message-permissions', isMessagePermissions, post({ template }, { repeats: 0 })),
  }
}

/**
 * The API of Meridian for a mini-program. Every call throws a ProblemError where it is refused, logs in by itself,
 * and is repeated where that is safe.
 */
export function createClient({ builtInPlans: plans = builtInPlans, ...settings }: Settings) {
  const { phone } = settings
  const send = openCalls(settings)
  const session = openSession(phone, send)
  const call: Caller = async (path, is, request) => answered(await session.call(path, request), is)
  return {
    logIn: session.logIn,
    logOut: session.logOut,
    plans: openPlans(send, plans),
    subscription: () => call('/subscription', isSubscription),
    ...openPayments(phone, session),
    orders: ordersOf(call),
    devices: devicesOf(call),
    reports: reportsOf(call),
    diagnosisConfig: () => call('/diagnosis-config', isDiagnosisConfig),
    account: accountOf(phone, session, call),
  }
}

export type MeridianClient = ReturnType<typeof createClient>
