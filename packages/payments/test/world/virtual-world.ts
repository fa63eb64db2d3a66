import { createServer } from 'node:http'
import {
  createMiniProgram,
  PaymentsError,
  systemRuntime,
  type VerifiedPush,
  type VirtualPayments,
} from '../../src/index.ts'
import {
  type FaultRule,
  generatePlatformKeys,
  type PlatformOptions,
  startPlatform,
} from '../../src/testing/index.ts'

const keys = generatePlatformKeys()

/** What the merchant answers to a push: a status and a body. */
type Answer = readonly [number, string]

/** A platform that sells `yearly` by virtual payment, and a merchant who is pushed what it says. */
export async function openVirtualWorld(options: PlatformOptions = {}) {
  const platform = await startPlatform({ keys: structuredClone(keys), scheduleSpeed: 1_000, ...options })
  const { appId, appSecret, virtual: settings } = platform.settings()
  const program = createMiniProgram({ appId, appSecret, baseUrl: platform.url }, systemRuntime)
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
  const sign = (changes: object = {}) => {
    counter += 1
    const attemptNo = `M01TEST${String(counter).padStart(10, '0')}`
    const attempt = { attemptNo, productId: 'yearly', amountFen: 26_800, ...changes }
    return virtual.signPayment(attempt, { loginCode: platform.loginCode(openid), openid })
  }
  return {
    platform,
    virtual,
    url,
    openid,
    pushed,
    refused,
    answers,
    sign,
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
