import { createServer } from 'node:http'
import {
  createMiniProgram,
  PaymentsError,
  type Runtime,
  systemRuntime,
  type VerifiedPush,
  type VirtualPaymentParams,
  type VirtualPayments,
  type VirtualSettings,
} from '../../src/index.ts'
import {
  type FaultRule,
  generatePlatformKeys,
  type PlatformOptions,
  startPlatform,
  VirtualPhoneError,
} from '../../src/testing/index.ts'

const keys = generatePlatformKeys()

/** What the merchant answers to a push: a status and a body. */
type Answer = readonly [number, string]

/** A platform that sells `yearly` by virtual payment, and a merchant who is pushed what it says. */
export async function openVirtualWorld(options: PlatformOptions = {}) {
  const platform = await startPlatform({ keys: structuredClone(keys), scheduleSpeed: 1_000, ...options })
  const { appId, appSecret, virtual: settings } = platform.settings()
  const programWith = (runtime: Partial<Runtime> = {}) =>
    createMiniProgram({ appId, appSecret, baseUrl: platform.url }, { ...systemRuntime, ...runtime })
  const program = programWith()
  const virtual: VirtualPayments = program.virtualPayments(settings)
  const pushed: VerifiedPush[] = []
  const refused: PaymentsError[] = []
  const answers: Answer[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Uint8Array[] = []
      for await (const part of request) if (part instanceof Uint8Array) parts.push(part)
      const query = Object.fromEntries(new URL(request.url ?? '/', 'http://localhost').searchParams)
      try {
        pushed.push(virtual.readPush(query, Buffer.concat(parts)))
        const [status, body] = answers.shift() ?? [200, 'success']
        response.writeHead(status).end(body)
      } catch (error) {
        if (error instanceof PaymentsError) refused.push(error)
        response.writeHead(401).end('{"ErrCode":1,"ErrMsg":"refused"}')
      }
    })()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/push`
  platform.usePush({ url })
  platform.plantItem({ id: 'yearly', priceFen: 26_800 })
  let counter = 0
  const openid = 'oPayer'
  /** A payment of a number that was never signed before. */
  const anAttempt = (changes: object = {}) => {
    counter += 1
    const attemptNo = `M01TEST${String(counter).padStart(10, '0')}`
    return { attemptNo, productId: 'yearly', amountFen: 26_800, ...changes }
  }
  const sign = (changes: object = {}) =>
    virtual.signPayment(anAttempt(changes), { loginCode: platform.loginCode(openid), openid })
  return {
    platform,
    settings,
    appSecret,
    virtual,
    /** Virtual payment of a process of its own, which may hold other settings and hear what it is answered. */
    another: (changes: Partial<VirtualSettings> = {}, runtime: Partial<Runtime> = {}) =>
      programWith(runtime).virtualPayments({ ...settings, ...changes }),
    anAttempt,
    url,
    openid,
    pushed,
    refused,
    answers,
    sign,
    /** How a phone refuses to open the sheet; null where it opens. */
    sheetError: (params: VirtualPaymentParams, system: 'android' | 'ios' = 'android'): number | null => {
      try {
        platform.openSheet(params, { openid, system })
        return null
      } catch (error) {
        if (error instanceof VirtualPhoneError) return error.errCode
        throw error
      }
    },
    /** Pays a fresh number on a phone of this system; its first push meets this fault. */
    buy: async ({
      system = 'android',
      fault,
    }: {
      system?: 'ios' | 'android'
      fault?: FaultRule['kind']
    } = {}) => {
      const params = await sign()
      const { outTradeNo }: { outTradeNo: string } = JSON.parse(params.signData)
      if (fault) platform.faults.add({ kind: fault, at: 'push', outTradeNo, times: 1 })
      await platform.requestVirtualPayment(params, { openid, system })
      return outTradeNo
    },
    close: async () => {
      await platform.stop()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

export type VirtualWorld = Awaited<ReturnType<typeof openVirtualWorld>>
