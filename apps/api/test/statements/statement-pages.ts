/** What each statement of money does, by the folder of `apps/api/src` that owns it: a page of docs/sql each. */
const purposes = {
  orders: {
    'find-payable-order': 'The one read before a payment is applied: the terms of its order.',
    'find-payable-order-of-attempt': 'The same for a payment of virtual payment, which names an attempt.',
    'open-order': 'Opens an order of a plan at its price of today, once per user and idempotency key.',
    'move-order-prepare': 'Keeps what the platform’s prepay answered: the order can be paid.',
    'move-order-prepare-and-ask':
      'The same for a prepay that took long or came again, after which the platform is asked anew.',
    'keep-attempt-first': 'Keeps the first attempt that was signed for an order of virtual payment.',
    'keep-attempt': 'The same for each further attempt, whose number is another one.',
    'move-order-close': 'Closes an unpaid order.',
    'move-order-close-and-watch':
      'The same for virtual payment, whose attempts are asked about for 72 hours more.',
    'park-order': 'Takes an order out of everything automatic until an operator decides.',
  },
  payments: {
    'pay-agreed':
      'Applies many payments that fit their orders with one commit, and answers which; the others are left as they are.',
    'pay-agreed-virtual': 'The same for virtual payments, with their attempts and their delivery.',
    'repeat-agreed':
      'Counts notifications of payments that are applied already, many with one commit; the others are left as they are.',
    'repeat-agreed-virtual': 'The same for payments that were pushed.',
    pay: 'Applies a payment alone that was found by a query or a bill: order, days, timeline and follow-up jobs.',
    'pay-notified': 'The same for a payment that was notified, with the notification as its evidence.',
    'pay-virtual': 'Applies a virtual payment that was found by a query, with its attempt and its delivery.',
    'pay-virtual-notified': 'The same for a virtual payment that was pushed.',
    'record-unknown-push':
      'Keeps a push about a number that was never issued, and has the platform asked about it.',
    'refuse-payment-mismatch':
      'Records a payment whose terms are not those of its order, and raises an alert.',
    'refuse-notified-payment-mismatch': 'The same for a payment that was notified.',
    'refuse-payment-order_unknown': 'Records a payment of an order that does not exist, and raises an alert.',
    'refuse-notified-payment-order_unknown': 'The same for a payment that was notified.',
    'refuse-payment-second_transaction': 'Records a second payment of a paid order, and raises an alert.',
    'refuse-notified-payment-second_transaction': 'The same for a payment that was notified.',
    'refuse-payment-second_transaction-virtual':
      'Records a second payment of virtual payment, with its attempt, and raises an alert.',
    'refuse-notified-payment-second_transaction-virtual': 'The same for a payment that was pushed.',
    'record-repeated-payment': 'Counts another notification of a payment that is applied already.',
    'decide-parked-release': 'An operator lets a parked order go on by itself.',
    'decide-parked-leave': 'An operator leaves a parked order as it is.',
    'decide-parked-activate': 'An operator gives the days that a parked order paid for.',
    'decide-parked-refund': 'An operator sends the money of a parked order back.',
  },
  notifications: {
    'record-notification': 'Keeps a notification that changes nothing else.',
  },
  refunds: {
    'request-refund': 'Requests a refund, and reserves its amount of the order.',
    'return-second-payment': 'Sends a second payment of an order back to its payer.',
    'approve-refund': 'A second person approves a refund; the job that sends it follows.',
    'approve-late-refund':
      'The same for the refund of a late payment, whose parked order is decided with it.',
    'reject-refund': 'A second person rejects a refund.',
    'move-refund-processing': 'The platform has accepted a refund.',
    'move-refund-closed': 'The platform has closed a refund without paying it out.',
    'move-refund-abnormal': 'The platform could not pay a refund out.',
    'succeed-refund': 'The money is back: refund, order, the days to take back, and timeline.',
    'acceptSuccess-refund':
      'The same once an operator accepts a success that contradicted where the refund stood.',
    'succeed-second-refund': 'The money of a second payment is back; the order and its days stay.',
    'keep-told-refund':
      'Keeps a refund of virtual payment that somebody else made, once per id of the platform.',
    'insert-told-refund': 'Makes it a refund of the order, approved by rule; its success follows.',
    'decide-returned-late-payment': 'Decides the late payment of an order that was wholly returned.',
  },
  subscriptions: {
    'grant-days': 'An operator adds or removes days, with a reason.',
    'grant-trial': 'Grants the trial of a device, once.',
  },
  alerts: {
    'raise-alert': 'Opens an alert, or counts it again while it is open.',
    'heal-order_unknown':
      'Ends the alerts of unknown orders that are paid by that very transaction after all.',
    'heal-order_parked': 'Ends the alerts of parked orders that are decided.',
    'heal-refund_stuck': 'Ends the alerts of stuck refunds that moved on.',
    'resolve-alert': 'An operator resolves an alert.',
  },
} as const satisfies Record<string, Record<string, string>>

export const describedStatements = Object.values(purposes).flatMap((described) => Object.keys(described))

const linesOf = (...lines: string[]) => `${lines.join('\n')}\n`

const index = linesOf(
  '# Statements',
  '',
  'The statements that move money or days, as PostgreSQL gets them, by the folder of `apps/api/src` that owns them.',
  'Written by `npm run sql -- --write`; a test keeps them current. `npm run sql -- pay` prints one.',
  ...Object.entries(purposes).flatMap(([noun, described]) => [
    '',
    `## [${noun}](${noun}.md)`,
    '',
    // An anchor of GitHub is the heading in lower case.
    ...Object.entries(described).map(
      ([name, purpose]) => `- [${name}](${noun}.md#${name.toLowerCase()}): ${purpose}`,
    ),
  ]),
)

/** The pages of docs/sql by the names of their files: an index, and a page per noun with the text of each statement. */
export function statementPages(statements: ReadonlyMap<string, string>): Map<string, string> {
  const pages = Object.entries(purposes).map(([noun, described]) => {
    const sections = Object.entries(described).map(([name, purpose]) =>
      linesOf(`## ${name}`, '', purpose, '', '```sql', `${statements.get(name) ?? ''}\`\`\``),
    )
    return [`${noun}.md`, [`# Statements of ${noun}\n`, ...sections].join('\n')] as const
  })
  return new Map([['README.md', index], ...pages])
}
