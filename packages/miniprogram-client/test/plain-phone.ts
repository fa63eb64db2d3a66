import type { Phone } from '../src/index.ts'

/** A phone that pays whatever it is asked to, keeps what is stored in this map, and asks whom it is told. */
export const plainPhone = (kept: Map<string, string>, request: Phone['request']): Phone => ({
  platform: 'other',
  wait: async () => undefined,
  loginCode: async () => 'code',
  requestPayment: async () => 'paid',
  storage: {
    read: (key) => kept.get(key) ?? null,
    write: (key, value) => void (value === null ? kept.delete(key) : kept.set(key, value)),
  },
  request,
})
