import type {
  BindRequest,
  Challenge,
  Device,
  DiagnosisConfig,
  Me,
  Order,
  Plan,
  Report,
  ReportRequest,
  Subscription,
} from '@meridian/contracts'
import { openAttempts } from './attempt.ts'
import { type Call, type ClientSettings, openCalls } from './call-api.ts'
import { openPayments } from './pay.ts'
import { builtInPlans, openPlans } from './plans.ts'
import { openSession } from './session.ts'

export type Page<Item> = { items: Item[]; next_cursor: string | null }
export type PageQuery = { limit?: number; cursor?: string }
export type ReportQuery = PageQuery & { kind?: Report['kind']; from?: string; to?: string }
export type MessagePermission = { template: string; template_id: string; remaining: number }

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

/**
 * The API of Meridian for a mini-program. Every call throws a ProblemError where it is refused, logs in by itself,
 * and is repeated where that is safe.
 */
export function createClient({ builtInPlans: plans = builtInPlans, ...settings }: Settings) {
  const send = openCalls(settings)
  const session = openSession(settings.phone, send)
  const call = async <Answer>(path: string, request?: Call): Promise<Answer> =>
    Object((await session.call(path, request)).body)
  const orderPath = (outTradeNo: string) => `/subscription/orders/${encodeURIComponent(outTradeNo)}`
  const reportPath = (id: string) => `/reports/${encodeURIComponent(id)}`

  return {
    logIn: session.logIn,
    logOut: session.logOut,
    plans: openPlans(send, plans),
    subscription: () => call<Subscription>('/subscription'),
    ...openPayments(settings.phone, session),
    orders: {
      list: (query: PageQuery = {}) => call<Page<Order>>(withQuery('/subscription/orders', query)),
      get: async (outTradeNo: string) => (await call<{ order: Order }>(orderPath(outTradeNo))).order,
      sync: (outTradeNo: string) =>
        call<{ order: Order; subscription: Subscription }>(`${orderPath(outTradeNo)}/sync`, post(undefined)),
      cancel: async (outTradeNo: string) =>
        (await call<{ order: Order }>(`${orderPath(outTradeNo)}/cancel`, post(undefined))).order,
    },
    devices: {
      list: (query: PageQuery = {}) => call<Page<Device>>(withQuery('/devices', query)),
      /** What a device that knows a secret must answer before it can be bound. */
      challenge: (serialNumber: string) =>
        call<Challenge>('/devices/bind-challenge', post({ serial_number: serialNumber })),
      bind: async (device: BindRequest) =>
        (await call<{ device: Device }>('/devices/bind', post(device))).device,
      /** Without a serial number the device that was bound last: then a repeat would end another binding. */
      unbind: async (serialNumber?: string) => {
        const request =
          serialNumber === undefined ? post(undefined, { repeats: 0 }) : post({ serial_number: serialNumber })
        return (await call<{ unbound: Device[] }>('/devices/unbind', request)).unbound
      },
    },
    reports: {
      /** Its `client_report_id` makes it one report, however often it is sent. */
      store: (report: ReportRequest) => call<Report>('/reports', post(report)),
      list: (query: ReportQuery = {}) => call<Page<Report>>(withQuery('/reports', query)),
      get: (id: string) => call<Report>(reportPath(id)),
      delete: async (id: string): Promise<void> => void (await call(reportPath(id), { method: 'DELETE' })),
    },
    diagnosisConfig: () => call<DiagnosisConfig>('/diagnosis-config'),
    account: {
      get: () => call<Me>('/me'),
      update: (changes: { nickname?: string | null; avatar_url?: string | null }) =>
        call<Me>('/me', { method: 'PUT', body: changes }),
      export: () => call<Record<string, unknown>>('/me/export', { repeats: 0 }),
      /** Ends the account for good; asks `wx.login` for a fresh code as proof. */
      erase: async (): Promise<void> => {
        const body = { confirm: 'DELETE', code: await settings.phone.loginCode() }
        await session.call('/me', { method: 'DELETE', body, repeats: 0 })
        openAttempts(settings.phone).forget()
        await session.logOut().catch(() => undefined)
      },
      messagePermissions: () => call<{ items: MessagePermission[] }>('/me/message-permissions'),
      /** Counts one permission that the user has just granted for this message. */
      grantMessage: (template: string) =>
        call<{ items: MessagePermission[] }>('/me/message-permissions', post({ template }, { repeats: 0 })),
    },
  }
}

export type MeridianClient = ReturnType<typeof createClient>
