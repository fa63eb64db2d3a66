import { createPayments, type PrepayOrder, type Runtime, systemRuntime } from '../../src/index.ts'
import {
  generatePlatformKeys,
  type MerchantSettings,
  type PlatformOptions,
  startPlatform,
} from '../../src/testing/index.ts'
import { startMerchantServer } from './merchant-server.ts'

// Keys cost tenths of a second to make; one set serves all the worlds of a test file.
const keys = generatePlatformKeys()

export type WorldWishes = PlatformOptions & {
  settings?: Partial<MerchantSettings>
  runtime?: Partial<Runtime>
}

/** A platform, a merchant's server and the merchant's client, connected over real HTTP. */
export async function openWorld(wishes: WorldWishes = {}) {
  const { settings: overrides, runtime, ...options } = wishes
  const merchant = await startMerchantServer()
  const platform = await startPlatform({ keys: structuredClone(keys), ...options })
  const settings = platform.settings({ notifyUrl: merchant.notifyUrl, ...overrides })
  const payments = createPayments(settings, { ...systemRuntime, ...runtime })
  merchant.use(payments)
  return {
    platform,
    merchant,
    settings,
    payments,
    close: async () => {
      await platform.stop()
      await merchant.stop()
    },
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>

let counter = 0

/** An order that the platform takes; every call makes another number. */
export function anOrder(changes: Partial<PrepayOrder> = {}): PrepayOrder {
  counter += 1
  return {
    outTradeNo: `M01TEST${String(counter).padStart(10, '0')}`,
    description: '季度会员 90 天',
    amountFen: 7900,
    payerOpenid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o',
    expiresAt: new Date(Date.now() + 30 * 60_000),
    ...changes,
  }
}
