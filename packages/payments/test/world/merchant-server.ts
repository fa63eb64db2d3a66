import { createServer } from 'node:http'
import type { Payments, VerifiedNotification } from '../../src/index.ts'
import { PaymentsError } from '../../src/index.ts'

export type MerchantServer = {
  notifyUrl: string
  read: VerifiedNotification[]
  refused: PaymentsError[]
  /** Answers the next so many deliveries with FAIL, under this status or 500, without reading them. */
  failNext: (times: number, status?: number) => void
  use: (payments: Payments) => void
  stop: () => Promise<void>
}

/** A merchant's notification endpoint: raw bytes in, 204 or 401 out. */
export async function startMerchantServer(): Promise<MerchantServer> {
  const read: VerifiedNotification[] = []
  const refused: PaymentsError[] = []
  let failing = 0
  let failingStatus = 500
  let payments: Payments | null = null
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Uint8Array[] = []
      for await (const part of request) if (part instanceof Uint8Array) parts.push(part)
      if (failing > 0) {
        failing -= 1
        response.writeHead(failingStatus).end('{"code":"FAIL"}')
        return
      }
      try {
        if (payments)
          read.push(payments.readNotification({ headers: request.headers, body: Buffer.concat(parts) }))
        response.writeHead(204).end()
      } catch (error) {
        if (error instanceof PaymentsError) refused.push(error)
        response.writeHead(401).end('{"code":"FAIL"}')
      }
    })()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    notifyUrl: `http://127.0.0.1:${port}/notify`,
    read,
    refused,
    failNext: (times, status = 500) => {
      failing = times
      failingStatus = status
    },
    use: (given) => {
      payments = given
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
