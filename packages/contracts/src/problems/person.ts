import type { ProblemKind } from './problem-kind.ts'

/** Of somebody and of what is theirs: account, subscription, devices, reports. */
export const personProblems = {
  subscription_required: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '需要有效的订阅',
    en: 'A subscription is required',
  },
  device_not_registered: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '设备未登记',
    en: 'The device is not registered',
  },
  proof_required: { http: 403, trpc: 'FORBIDDEN', zh: '需要设备证明', en: 'Proof of possession is required' },
  proof_invalid: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '设备证明无效',
    en: 'The proof of possession is not valid',
  },
  device_not_found: { http: 404, trpc: 'NOT_FOUND', zh: '设备不存在', en: 'The device does not exist' },
  report_not_found: { http: 404, trpc: 'NOT_FOUND', zh: '报告不存在', en: 'The report does not exist' },
  device_already_bound: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '设备已被绑定',
    en: 'The device belongs to somebody else',
  },
  device_limit_reached: { http: 409, trpc: 'CONFLICT', zh: '绑定设备数量已达上限', en: 'Too many devices' },
  report_limit_reached: { http: 409, trpc: 'CONFLICT', zh: '报告数量已达上限', en: 'Too many reports' },
  erasure_blocked: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '有未完成的订单或退款，暂不能注销',
    en: 'An open order or refund blocks the erasure',
  },
} as const satisfies Record<string, ProblemKind>
