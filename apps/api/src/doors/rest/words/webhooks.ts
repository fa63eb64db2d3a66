import { type EventTypeName, WEBHOOK_TEST_TYPE } from '@meridian/contracts'
import type { Told } from './operation-words.ts'

type WebhookType = EventTypeName | typeof WEBHOOK_TEST_TYPE
/** What each webhook tells. */
export const webhookWords: Readonly<Record<WebhookType, Told>> = {
  'order.paid': { zh: '订单已支付', en: 'An order is paid' },
  'order.closed': { zh: '订单已关闭', en: 'An order is closed' },
  'order.refunded': { zh: '订单的全部或部分金额已退还', en: 'All or part of an order went back' },
  'refund.succeeded': { zh: '一笔退款已到账', en: 'A refund succeeded' },
  'subscription.changed': { zh: '天数有增减', en: 'Days were given or taken' },
  'device.bound': { zh: '设备已绑定', en: 'A device is bound' },
  'device.unbound': { zh: '设备已解绑', en: 'A device is unbound' },
  'complaint.opened': {
    zh: '收到投诉；此版本尚不发送',
    en: 'A complaint came; not sent by this release yet',
  },
  'alert.opened': {
    zh: '出现告警；关于接收地址的除外',
    en: 'An alert was opened, of any kind but about endpoints',
  },
  [WEBHOOK_TEST_TYPE]: { zh: '控制台发出的测试', en: 'A test, sent from the console' },
}

export const webhookAnswer: Told = {
  zh: '15 秒内的任何 2xx：已收下。',
  en: 'Any 2xx within 15 seconds: taken.',
}
