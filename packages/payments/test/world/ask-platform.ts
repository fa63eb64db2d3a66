import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { authorization } from '../../src/send-once.ts'
import { requestMessage, sign } from '../../src/signature.ts'
import type { Platform } from '../../src/testing/index.ts'

const Content = z.record(z.string(), z.unknown())
export type PlatformAnswer = { status: number; content: Record<string, unknown>; bytes: Buffer }

/** A merchant's signed request with whatever it likes to send, and the answer as it came. */
export async function askPlatform(
  { keys, url, now }: Platform,
  { target, body: sent }: { target: string; body?: object },
): Promise<PlatformAnswer> {
  const method = sent ? 'POST' : 'GET'
  const body = sent ? JSON.stringify(sent) : ''
  const timestamp = String(Math.floor(now().getTime() / 1000))
  const message = requestMessage({ method, target, timestamp, nonce: 'n', body })
  const signature = await sign(message, createPrivateKey(keys.merchant.privateKey))
  const { mchId, merchant } = keys
  const parts = { mchId, nonce: 'n', timestamp, serialNo: merchant.serial, signature }
  const response = await fetch(url + target, {
    method,
    ...(sent && { body }),
    headers: { authorization: authorization(parts), accept: '*/*', 'user-agent': 'test/1' },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && bytes.length > 0
  return {
    status: response.status,
    content: isJson ? Content.parse(JSON.parse(bytes.toString())) : {},
    bytes,
  }
}

/** The body of an order as a merchant sends it, with these parameters in place of the usual. */
export const orderBody = ({ keys }: Platform, changes: object) => ({
  appid: keys.appId,
  mchid: keys.mchId,
  description: '季度会员',
  notify_url: 'https://shop.example.com/notify',
  amount: { total: 7900, currency: 'CNY' },
  payer: { openid: 'oSomebody' },
  ...changes,
})
