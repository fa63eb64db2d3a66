import type { PaymentParams, ReportRequest, VirtualPaymentParams } from '@meridian/contracts'
import { createClient, onFetch, type PlanChoice } from '@meridian/miniprogram-client'
import type { Sandbox } from './sandbox.ts'

/** Nobody sits through the mini-program's own pauses here. */
const longestWaitMs = 50

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, longestWaitMs)))

/** How the payment sheet is left: paid, pressed away, or open until it is too late. */
export type Ending = 'pays' | 'cancels' | 'leaves'

/** Somebody with a phone and a wearable: what the mini-program does, over HTTP. */
export type Person = ReturnType<typeof meetPerson>

type Holder = { user: string; system: 'android' | 'ios' }

/** The error code of a sheet that was pressed away. */
const CANCELLED = -2

export function meetPerson(sandbox: Sandbox, { user, system }: Holder) {
  let ending: Ending = 'pays'
  const requestPayment = async (params: PaymentParams) => {
    if (ending === 'cancels') return 'cancelled' as const
    if (ending === 'leaves') return 'unclear' as const
    await sandbox.pay(user, params)
    return 'paid' as const
  }
  /** Apple's sheet is paid or pressed away: one that stays open ends by itself. */
  const requestVirtualPayment = async (params: VirtualPaymentParams) => {
    if (ending !== 'pays') return CANCELLED
    await sandbox.pay(user, params, system)
    return 0
  }
  const client = createClient({
    baseUrl: sandbox.url,
    phone: {
      ...onFetch({ fetch, loginCode: () => sandbox.loginCode(user), requestPayment, platform: system }),
      ...(system === 'ios' && { requestVirtualPayment }),
      wait: pause,
    },
  })
  return {
    user,
    system,
    client,
    buys: async (plan: PlanChoice, how: Ending) => {
      ending = how
      return client.pay(plan)
    },
    /** A measurement or a treatment that has just ended. */
    reports: (
      kind: ReportRequest['kind'],
      report: Pick<ReportRequest, 'client_report_id'> & { now: Date } & Partial<ReportRequest>,
    ) => {
      const { now, ...more } = report
      const started = new Date(now.getTime() - (kind === 'scan' ? 2 : 25) * 60_000)
      return client.reports.store({
        kind,
        started_at: started.toISOString(),
        ended_at: now.toISOString(),
        summary: { posture: '良好', symmetry: 0.93 },
        measurements: Array.from({ length: 60 }, (_, step) => ({
          t_ms: step * 100,
          channel: step % 2 === 0 ? 'left' : 'right',
          microvolts: Math.round(400 + 300 * Math.sin(step / 7)),
        })),
        ...more,
      })
    },
  }
}
