import { filesBelow } from './source.ts'

const folders = [
  'apps/api/src/payments',
  'apps/api/src/refunds',
  'apps/api/src/subscriptions',
  'apps/api/src/approvals',
  'apps/api/src/orders',
  'apps/api/src/imports',
  'packages/payments/src',
]

/** Of the orders what moves them; what sells, lists and exports them is not money that moves. */
const ofOrders =
  /orders\/((move|park|recreate)-order|agreed-terms|append-event|import-orders|second-payment|sweep-schedule|order-attempts|sign-attempt|record-attempt)\.ts$/

/** What only shows what is there, or sends messages about it: no money and no day changes hands. */
const leftOut = [
  /\/(list|show)-(?!ledger|subscription\.)[a-z-]+\.ts$/,
  /\/(reminders|remind-expiring|test-reminder|messages)\.ts$/,
  /^packages\/payments\/src\/testing\//,
]

/** Rules of money that the console shares. */
const shared = ['packages/contracts/src/refundable.ts']

/** What keeps the evidence of payments that are committed together: part of their statements. */
const evidence = ['apps/api/src/notifications/record-in-groups.ts']

const isMoneySource = (file: string) =>
  file.endsWith('.ts') &&
  (!file.includes('/orders/') || ofOrders.test(file)) &&
  !leftOut.some((path) => path.test(file))

/** The money code: every file that mutants are made of. */
export const findMoneySources = (): string[] => [
  ...folders.flatMap(filesBelow).filter(isMoneySource),
  ...shared,
  ...evidence,
]
