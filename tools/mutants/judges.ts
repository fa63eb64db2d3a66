import { filesBelow, hashOf } from './source.ts'

/** The tests that are expected to notice a change of a source: quick and near ones first, the model last. */
export type Judges = { workspace: string; tests: readonly string[] }

const api = (names: string): string[] =>
  names
    .split(/\s+/)
    .filter(Boolean)
    .map((name) => `apps/api/test/${name}.test.ts`)

const model = 'model/money-core'

/** The first line that matches a source says who judges it. */
const ofApi: readonly (readonly [source: RegExp, tests: string])[] = [
  [
    /payments\/(agreed-payments|pay-agreed|repeat-agreed|group-payments)|orders\/agreed-terms|notifications\/record-in-groups/,
    `journeys/payments-in-groups journeys/order-rules doors/notifications doors/push-door journeys/payment-edges
     journeys/races journeys/money-edges statements/written-statements ${model}`,
  ],
  [/payments\/buy-plan/, 'doors/purchase doors/virtual-purchase journeys/overdue-orders'],
  [/payments\/(note-sheet-error|ask-attempts)/, `doors/virtual-purchase journeys/virtual-sweeps ${model}`],
  [/payments\/(ask-unknown-push|receive-push)/, 'doors/push-door'],
  [/payments\/confirm-delivery/, 'journeys/virtual-delivery'],
  [
    /payments\/decide-parked/,
    `journeys/decisions-on-parked-orders journeys/parked-orders journeys/order-rules
     doors/approvals ${model}`,
  ],
  [
    /payments\/follow-payment/,
    `journeys/what-a-payment-leaves journeys/order-rules journeys/days-and-limits journeys/alerts
     journeys/shipping`,
  ],
  [/payments\/replay-notification/, 'journeys/recreated-and-replayed journeys/replay'],
  [
    /payments\/receive-notification/,
    `doors/notifications doors/push-door journeys/order-rules journeys/refunds doors/unreadable-notifications
     journeys/what-a-payment-leaves doors/settled-orders journeys/second-payments-told-again ${model}`,
  ],
  [
    /payments\/sweep-order/,
    `journeys/unpaid-order-sweeps journeys/virtual-sweeps journeys/order-rules journeys/overdue-orders
     journeys/retire-unpaid-orders ${model}`,
  ],
  [
    /payments\/sync-order/,
    `doors/orders journeys/order-rules doors/timeline doors/console doors/settled-orders ${model}`,
  ],
  [
    /payments\/settle-order/,
    `journeys/order-rules journeys/virtual-sweeps journeys/overdue-orders doors/timeline journeys/parked-orders doors/orders
     doors/settled-orders doors/answers-that-differ doors/console-log ${model}`,
  ],
  [
    /payments\//,
    `journeys/order-rules journeys/what-a-payment-leaves doors/push-door journeys/virtual-sweeps journeys/second-payments-told-again
     doors/settled-orders journeys/payment-edges journeys/days-and-limits doors/notifications
     journeys/parked-orders journeys/decisions-on-parked-orders journeys/recreated-and-replayed
     journeys/replay journeys/refunds journeys/races journeys/money-edges journeys/alerts doors/metrics
     doors/console-log doors/account ${model}`,
  ],
  [
    /refunds\/contradiction/,
    `journeys/contradicted-refunds journeys/second-person-of-refunds journeys/refund-follow-up
     journeys/every-alert`,
  ],
  [/refunds\/(answer-inquiry|decide-opinion)/, 'journeys/apple-inquiries'],
  [
    /refunds\/(external-refunds|find-returned-payment)/,
    `journeys/told-refunds journeys/virtual-refunds ${model}`,
  ],
  [
    /refunds\/(track-virtual-refund|ask-refund|find-tracked)/,
    'journeys/virtual-refunds journeys/refund-follow-up journeys/refused-refunds',
  ],
  [/refunds\/request-late-refund/, 'journeys/refund-guards journeys/parked-orders doors/approvals'],
  [
    /refunds\/(decide-stop|request-stop|count-sendings|return-second-payment|succeed-second-refund)/,
    `journeys/second-person-of-refunds journeys/refund-guards journeys/returns-of-second-payments
     journeys/refund-follow-up journeys/second-payments journeys/refused-refunds journeys/refunds
     journeys/every-alert doors/approvals`,
  ],
  [
    /refunds\/|contracts\/src\/refundable/,
    `journeys/refund-guards journeys/refund-follow-up journeys/second-person-of-refunds
     journeys/returns-of-second-payments doors/console-log
     journeys/days-and-limits journeys/money-edges journeys/refunds journeys/contradicted-refunds
     doors/desks journeys/parked-orders journeys/refused-refunds journeys/second-payments doors/approvals
     journeys/replay journeys/reconciliation journeys/every-alert doors/notifications ${model}`,
  ],
  [/subscriptions\/give-days-by-key/, 'doors/grant-races doors/integration'],
  [
    /imports\/|import-(days|orders)/,
    'journeys/import journeys/import-undo journeys/import-beside-purchases journeys/imported-money doors/imports doors/import-again journeys/import-cut-off doors/import-room',
  ],
  [/subscriptions\/change-days/, 'journeys/days-by-hand doors/subscriptions doors/approvals'],
  [/subscriptions\/grant-trial/, 'journeys/trials journeys/trial-edges'],
  [
    /subscriptions\/(explain-access|show-ledger|show-subscription)/,
    `decisions/explain-access decisions/share-unused-days doors/reports doors/subscriptions doors/orders
     journeys/shown-subscription`,
  ],
  [
    /subscriptions\/verify-ledger/,
    'journeys/ledger-check journeys/days-and-limits journeys/jobs journeys/heal doors/start-up',
  ],
  [
    /subscriptions\//,
    `journeys/unused-days journeys/shown-subscription journeys/days-by-hand journeys/ledger-check
     journeys/days-and-limits journeys/money-edges journeys/payment-edges journeys/refunds
     journeys/current-plan journeys/order-rules doors/subscriptions journeys/refund-guards
     journeys/trials doors/desks journeys/races ${model}`,
  ],
  [
    /orders\/second-payment/,
    `journeys/second-payments journeys/second-payments-told-again journeys/order-rules
     journeys/reconciliation journeys/healed-alerts journeys/what-a-payment-leaves journeys/days-and-limits`,
  ],
  [
    /orders\/sweep-schedule/,
    `journeys/unpaid-order-sweeps journeys/virtual-sweeps journeys/overdue-orders journeys/retire-unpaid-orders
     journeys/order-rules journeys/jobs`,
  ],
  [
    /orders\/append-event/,
    'doors/timeline journeys/order-rules doors/orders journeys/what-a-payment-leaves doors/settled-orders',
  ],
  [/orders\/(order-attempts|sign-attempt)/, `doors/virtual-purchase journeys/virtual-sweeps ${model}`],
  [/orders\/(record-attempt|note-apple)/, 'journeys/virtual-delivery journeys/virtual-refunds'],
  [/orders\/recreate-order/, 'journeys/recreated-and-replayed journeys/heal journeys/reconciliation'],
  [
    /orders\//,
    `journeys/order-rules journeys/what-a-payment-leaves doors/settled-orders
     journeys/decisions-on-parked-orders journeys/days-and-limits journeys/overdue-orders
     journeys/parked-orders journeys/refunds doors/desks doors/metrics doors/account ${model}`,
  ],
  [
    /approvals\//,
    `journeys/second-person journeys/guarded-settings journeys/days-by-hand doors/approvals doors/plans
     doors/prices doors/desks doors/subscriptions doors/staff doors/one-owner
     journeys/second-person-of-refunds`,
  ],
]

/** These ask the simulated platform alone, and no line of the package that production runs. */
const ofSimulator = /\/(bill-types|documented-parameters|durable-platform)\.test\.ts$|\/test\/sdk\//

/** Of the payments package all other tests judge; these come first for what they are nearest to. */
const nearest: readonly (readonly [source: RegExp, names: string])[] = [
  [/\/bills\b/, 'bill-tables exactness.properties bills oracle'],
  [/\/key-ring\//, 'keys verified-answers kept-keys key-ends key-change'],
  [/\/mini-program\//, 'mini-program-calls access-token log-in mini-program'],
  [/check-settings/, 'settings-edges settings kept-keys'],
  [/\/(signature|cipher)\.ts$/, 'vectors verified-answers keys'],
  [/\/notification\//, 'announced-events read-refund vectors kept-keys order-flow refund-flow oracle'],
  [/read-fields/, 'times-and-limits reread oracle order-flow exactness.properties'],
  [
    /send-once|\/request|refusal|\/endpoint\.ts|client|runtime|payments-error/,
    'refusals second-attempts verified-answers sent-and-answered failures order-flow',
  ],
  [/\/virtual\//, 'virtual-vectors virtual-calls virtual-platform'],
  [/endpoints\/order/, 'order-answers'],
  [/endpoints\/refund/, 'refund-calls'],
]

const quick =
  'reread log-in mini-program settings vectors oracle order-flow refund-flow failures exactness.properties keys key-change bills pipe'
const slow = 'fault-injection reader.properties'

function testsOfPayments(source: string): string[] {
  const folder = 'packages/payments/test'
  const named = (names: string) => names.split(' ').map((name) => `${folder}/${name}.test.ts`)
  const near = nearest.find(([pattern]) => pattern.test(source))?.[1]
  const first = [...(near ? named(near) : []), ...named(quick)]
  const others = filesBelow(folder).filter(
    (file) =>
      file.endsWith('.test.ts') &&
      !ofSimulator.test(file) &&
      !named(slow).includes(file) &&
      !first.includes(file),
  )
  return [...new Set([...first, ...others, ...named(slow)])]
}

/** @throws Error for a source that nobody judges */
export function judgesOf(file: string): Judges {
  if (file.startsWith('packages/payments/'))
    return { workspace: 'packages/payments', tests: testsOfPayments(file) }
  const found = ofApi.find(([source]) => source.test(file))
  if (!found || !/^(apps\/api|packages\/contracts)\//.test(file)) throw new Error(`No tests judge ${file}`)
  return { workspace: 'apps/api', tests: api(found[1]) }
}

/** Without the model, which takes longest. */
export const quickJudges = ({ workspace, tests }: Judges): Judges => ({
  workspace,
  tests: tests.filter((file) => !file.includes('/model/')),
})

/** Changes with the text of any of these tests. */
export const hashOfTests = (tests: readonly string[], textOf: (file: string) => string): string =>
  hashOf(...tests.flatMap((file) => [file, textOf(file)]))
