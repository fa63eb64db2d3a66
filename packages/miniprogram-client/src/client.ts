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

/** The device to bind, by the number on it, and what is known of it. */
export type BindRequest = {
  serial_number: string
  mac_address?: string | null | undefined
  model?: string | null | undefined
  firmware_version?: string | null | undefined
  nickname?: string | null | undefined
  /** HMAC-SHA-256(secret, nonce) as the device made it: 64 hexadecimal digits, or base64 of either alphabet. */
  proof?: string | null | undefined
}

/** A scan or treatment to store: instants are ISO 8601. Choose `client_report_id` once, then it may be sent again. */
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
    /** The user's orders, newest first. */
    list: (query: PageQuery = {}) => call(withQuery('/subscription/orders', query), pageOf(isOrder)),
    /** One order. Throws `order_not_found` where it is not the user's. */
    get: async (outTradeNo: string) => (await call(pathOf(outTradeNo), isOrderAnswer)).order,
    /** Lets the server ask the platform whether it is paid; answers order and subscription. */
    sync: (outTradeNo: string) => call(`${pathOf(outTradeNo)}/sync`, isSyncAnswer, post(undefined)),
    /** Closes an unpaid order; one that turns out to be paid stays paid. */
    cancel: async (outTradeNo: string) =>
      (await call(`${pathOf(outTradeNo)}/cancel`, isOrderAnswer, post(undefined))).order,
  }
}

const devicesOf = (call: Caller) => ({
  /** The devices that are bound now. */
  list: (query: PageQuery = {}) => call(withQuery('/devices', query), pageOf(isDevice)),
  /** What a device that knows a secret must answer before it can be bound. */
  challenge: (serialNumber: string) =>
    call('/devices/bind-challenge', isChallenge, post({ serial_number: serialNumber })),
  /** Binds a device. Throws `device_already_bound` where it is somebody else's. */
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
    /** The user's reports, newest first; `from` and `to` are ISO 8601. */
    list: (query: ReportQuery = {}) => call(withQuery('/reports', query), pageOf(isReport)),
    /** One report, with its measurements where they are open to the user. */
    get: (id: string) => call(pathOf(id), isReport),
    /** Deletes a report for good. */
    delete: async (id: string): Promise<void> =>
      void (await call(pathOf(id), anything, { method: 'DELETE' })),
  }
}

function accountOf(phone: Phone, session: Session, call: Caller) {
  return {
    /** The account. */
    get: () => call('/me', isMe),
    /** Sets nickname and picture; null empties one. */
    update: (changes: { nickname?: string | null; avatar_url?: string | null }) =>
      call('/me', isMe, { method: 'PUT', body: changes }),
    /** Everything that is kept about the user. */
    export: () => call('/me/export', isRecord, { repeats: 0 }),
    /** Ends the account for good; asks `wx.login` for a fresh code as proof. */
    erase: async (): Promise<void> => {
      const body = { confirm: 'DELETE', code: await phone.loginCode() }
      await session.call('/me', { method: 'DELETE', body, repeats: 0 })
      openAttempts(phone).forget()
      await session.logOut().catch(() => undefined)
    },
    /** How many messages of each template the user still allows. */
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
    /** Logs in now; every other call does so by itself. Throws ProblemError, `unreachable` without an answer. */
    logIn: session.logIn,
    /** Ends the session; nobody is logged in again before `logIn`. */
    logOut: session.logOut,
    /** The plans on sale; never fails: the built-in ones where nobody answers. */
    plans: openPlans(send, plans),
    /** What the user has access to now. */
    subscription: () => call('/subscription', isSubscription),
    ...openPayments(phone, session),
    orders: ordersOf(call),
    devices: devicesOf(call),
    reports: reportsOf(call),
    /** The programs that the server publishes, as far as they are open to the user. */
    diagnosisConfig: () => call('/diagnosis-config', isDiagnosisConfig),
    account: accountOf(phone, session, call),
  }
}

/** What `createClient` makes. */
export type MeridianClient = ReturnType<typeof createClient>
