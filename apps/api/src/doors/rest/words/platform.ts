import { failedStatuses, failure } from '../../notifications/answer.ts'
import type { OperationShape } from '../document-shape.ts'
import type { TagWords } from './operation-words.ts'

const operation = 'POST /payment/notify'

export const platform = {
  title: { zh: '支付平台', en: 'Payment platform' },
  description: {
    zh: '只由微信支付调用，小程序不要调用。',
    en: 'Called by WeChat Pay alone, never by a mini-program.',
  },
  operations: {
    [operation]: {
      operationId: 'receivePaymentNotification',
      summary: { zh: '接收支付通知', en: 'Receive a payment notification' },
      description: {
        zh: '微信支付 APIv3 的支付与退款通知。先以原始字节核对签名与时间（五分钟内），再解密。只有 204 表示已处理，其他回答都会使平台重发；同一通知可以重复到达。失败的回答是 `{"code":"FAIL","message":"…"}`，不是 problem 文档。能通过验证的消息不限次数。',
        en: 'Payment and refund notifications of WeChat Pay APIv3. Signature and time (five minutes) are checked over the unaltered bytes before anything is decrypted. Only 204 means done: the platform repeats after any other answer, and one notification may come more than once. A failure is `{"code":"FAIL","message":"…"}`, not a problem document. No limit on messages that verify.',
      },
      answers: { 204: { zh: '已处理，不必重发。', en: 'Done: need not be repeated.' } },
      request: {
        id: 'EV-2018022511223320873',
        create_time: '2026-11-20T16:00:21+08:00',
        event_type: 'TRANSACTION.SUCCESS',
        resource_type: 'encrypt-resource',
        summary: '支付成功',
        resource: {
          algorithm: 'AEAD_AES_256_GCM',
          original_type: 'transaction',
          ciphertext: 'mZ9tJv0kq1bXh3c5dE7fG9iK',
          nonce: 'fdasflkja484',
          associated_data: 'transaction',
        },
      },
    },
  },
} as const satisfies TagWords

const text = { type: 'string' }
const signed = (name: string) => ({ in: 'header', name, required: true, schema: text })

/** The endpoint has no schema that a route validates by: its signature is checked before anything is parsed. */
export const platformOperations = (): Readonly<Record<string, OperationShape>> => ({
  [operation]: {
    security: [{ platform: [] }],
    parameters: ['Timestamp', 'Nonce', 'Serial'].map((name) => signed(`Wechatpay-${name}`)),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              id: text,
              create_time: { type: 'string', format: 'date-time' },
              event_type: text,
              resource_type: text,
              summary: text,
              resource: {
                type: 'object',
                properties: {
                  algorithm: { const: 'AEAD_AES_256_GCM', type: 'string' },
                  original_type: text,
                  ciphertext: text,
                  nonce: text,
                  associated_data: text,
                },
                required: ['algorithm', 'ciphertext', 'nonce'],
              },
            },
            required: ['id', 'event_type', 'resource'],
          },
        },
      },
    },
    responses: {
      204: {},
      ...Object.fromEntries(
        failedStatuses
          .filter((status) => status !== 405)
          .map((status) => [
            status,
            {
              description: failure(status).message,
              content: {
                'application/json': {
                  schema: { $ref: '#/components/schemas/NotificationFailure' },
                  example: failure(status),
                },
              },
            },
          ]),
      ),
    },
  },
})

export const NotificationFailure = {
  type: 'object',
  properties: { code: { type: 'string', const: 'FAIL' }, message: text },
  required: ['code', 'message'],
  additionalProperties: false,
}
