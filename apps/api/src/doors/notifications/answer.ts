import type { NotificationOutcome } from '@meridian/contracts'
import type { PaymentsReason } from '@meridian/payments'

/** Which status the platform gets for what became of a verified notification; anything but 204 makes it repeat. */
export const outcomeStatus = {
  applied: 204,
  already_paid: 204,
  ignored: 204,
  order_unknown: 404,
  mismatch: 409,
  second_transaction: 409,
  deferred: 503,
  unreadable: 400,
} as const satisfies Record<NotificationOutcome, number>

const reasonStatus: Partial<Record<PaymentsReason, number>> = {
  headers_missing: 401,
  stale: 401,
  unknown_serial: 401,
  bad_signature: 401,
  probe: 401,
}

/** The same for a push: 200 with success alone, since no page says whether a status counts (virtual payment §4.3, §9). */
export const pushStatus = (outcome: NotificationOutcome): number =>
  outcomeStatus[outcome] === 204 ? 200 : outcomeStatus[outcome]

/** Which status a delivery gets that is not a notification: 401 before its signature held, 400 after. */
export const refusalStatus = (reason: PaymentsReason): number => reasonStatus[reason] ?? 400

/** Where the platform notifies us. */
export const NOTIFICATION_PATH = '/api/v1/payment/notify'
/** Where the mini-program's message push comes. */
export const PUSH_PATH = '/api/v1/wechat/push'

const messages: Readonly<Record<number, string>> = {
  400: 'malformed notification',
  401: 'signature refused',
  404: 'not found',
  405: 'method not allowed',
  408: 'not received in time',
  409: 'does not match the order',
  413: 'too large',
  415: 'unsupported media type',
  429: 'too many refused notifications',
  503: 'unavailable, please repeat',
}

/** Every status of a failure, for the document of the interface. */
export const failedStatuses: readonly number[] = Object.keys(messages).map(Number)

/** The body of every answer but 204. */
export const failure = (status: number) => ({ code: 'FAIL', message: messages[status] ?? 'failed' })

/** The same for a push: an empty body would mean delivered (virtual payment §4.3). */
export const pushFailure = (status: number) => ({ ErrCode: 1, ErrMsg: messages[status] ?? 'failed' })
