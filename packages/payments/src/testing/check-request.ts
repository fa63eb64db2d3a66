import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { requestMessage } from '../signature.ts'
import { CERTIFICATE_SERIAL_IGNORES_CASE } from './open-questions.ts'
import type { PlatformClock } from './platform-clock.ts'
import { Refusal } from './reply.ts'

export type ReceivedRequest = {
  method: string
  /** Path and query as they came. */
  target: string
  headers: Readonly<Record<string, string>>
  text: string
}

export type KnownMerchant = { mchId: string; serial: string; publicKey: KeyObject }

export const merchantOf = (keys: {
  mchId: string
  merchant: { serial: string; certificate: string }
}): KnownMerchant => ({
  mchId: keys.mchId,
  serial: keys.merchant.serial,
  publicKey: createPublicKey(keys.merchant.certificate),
})

const SCHEME = 'WECHATPAY2-SHA256-RSA2048 '

const unauthorized = (message: string) => new Refusal(401, { code: 'SIGN_ERROR', message })

/** Checks a merchant's request as the platform does, in its order: headers, clock, merchant, signature (protocol §1). */
export function checkRequest(
  request: ReceivedRequest,
  merchant: KnownMerchant,
  { isFresh }: PlatformClock,
): void {
  const { accept, authorization, 'user-agent': userAgent } = request.headers
  if (!accept || !userAgent) {
    throw new Refusal(400, { code: 'INVALID_REQUEST', message: 'Http头缺少Accept或User-Agent' })
  }
  if (!authorization?.startsWith(SCHEME)) throw unauthorized('Http头Authorization值格式错误')
  const parts = readParts(authorization.slice(SCHEME.length))
  const { mchid, nonce_str: nonce, timestamp, serial_no: serialNo, signature } = parts
  if (!mchid || !nonce || !timestamp || !serialNo || !signature)
    throw unauthorized('Http头Authorization值缺少参数')
  if (!/^\d+$/.test(timestamp) || !isFresh(Number(timestamp))) {
    throw unauthorized('Http头Authorization中的timestamp与发起请求的时间不得超过5分钟')
  }
  if (mchid !== merchant.mchId || !isSerialOf(merchant, serialNo)) throw unauthorized('商户证书序列号有误')
  if (nonce.length > 32) throw unauthorized('nonce_str超长')
  const message = requestMessage({ ...request, timestamp, nonce, body: request.text })
  if (!verify('RSA-SHA256', Buffer.from(message), merchant.publicKey, Buffer.from(signature, 'base64'))) {
    throw new Refusal(401, {
      code: 'SIGN_ERROR',
      message: '签名错误',
      detail: signDetail(request.target, message),
    })
  }
}

const isSerialOf = ({ serial }: KnownMerchant, named: string) =>
  (CERTIFICATE_SERIAL_IGNORES_CASE ? named.toUpperCase() : named) === serial

const signDetail = (url: string, message: string) => ({
  issue: 'sign not match',
  sign_information: { sign_message_length: Buffer.byteLength(message), url },
})

function readParts(text: string): Readonly<Record<string, string | undefined>> {
  const parts: Record<string, string> = {}
  for (const [, name, value] of text.matchAll(/(\w+)="([^"]*)"/g)) {
    if (name !== undefined && value !== undefined) parts[name] = value
  }
  return parts
}
