import { problems } from '@meridian/contracts'
import { isRefusedContent } from '@meridian/db'
import { PaymentsError } from '@meridian/payments'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  keepUnreadable,
  type VerifiedDelivery,
  type VerifiedMessage,
} from '../../notifications/record-notification.ts'
import { type NotificationOrigin, receiveNotification } from '../../payments/receive-notification.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { DeadlineError } from '../../platform/limits/bounded-work.ts'
import { limitRules } from '../../platform/limits/open-limits.ts'
import { logSampled } from '../../platform/log.ts'
import type { Services } from '../../services.ts'
import { isDatabaseDown, isHungUp } from '../problem.ts'
import { outcomeStatus, refusalStatus } from './answer.ts'
import type { Rejections } from './collect-rejections.ts'

/** What a message locks: its order; one that names none, itself. */
export function orderOf(message: VerifiedMessage): string {
  if (message.kind === 'payment') return message.payment.outTradeNo
  return message.kind === 'refund' ? (message.refund.outTradeNo ?? message.id) : message.id
}

/** The headers of a notification, or what stands in the address of a push; and the bytes. */
type Received = { headers: VerifiedDelivery['headers']; body: Buffer }

/** Reads a delivery; one that the platform signed and that cannot be read is kept before anything is answered. */
export async function readOrKeep<Message>(
  { database }: Services,
  received: Received,
  read: () => Message,
): Promise<Message> {
  try {
    return read()
  } catch (error) {
    if (error instanceof PaymentsError && error.signed)
      await keepUnreadable(database.pool, { ...received, origin: error.signed, reason: error.reason })
    throw error
  }
}

/** Processes a delivery; one whose content the database refuses is kept, and would be refused on every repeat. */
export async function processOrKeep(services: Services, delivery: VerifiedDelivery, by: NotificationOrigin) {
  const { database, recentPurchases } = services
  try {
    const outcome = await receiveNotification(services, delivery, by)
    const { notification } = delivery
    // What is refused the platform repeats by itself.
    const isTaken = outcomeStatus[outcome] === 204
    if (isTaken && notification.kind === 'payment') recentPurchases.tookPayment(notification.payment)
    if (isTaken && notification.kind === 'refund') recentPurchases.tookRefund(notification.refund)
    return outcome
  } catch (error) {
    if (!isRefusedContent(error)) throw error
    const { notification: origin, headers, body } = delivery
    await keepUnreadable(database.pool, { headers, body, origin, reason: 'refused_content' })
    throw new PaymentsError('malformed_payload', { about: 'refused by the database', cause: error })
  }
}

function statusOfError(error: unknown): number {
  if (error instanceof PaymentsError) return refusalStatus(error.reason)
  if (isHungUp(error)) return 400
  if (error instanceof DomainError) return problems[error.code].http
  if (error instanceof DeadlineError || isDatabaseDown(error)) return 503
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500
  return typeof status === 'number' ? status : 500
}

const abortsToldEveryMs = 10_000

type Refusing = {
  rejections: Rejections
  /** Answers a failure in the terms of the door. */
  fail: (reply: FastifyReply, status: number) => FastifyReply
  /** What else a refusal is for the door. */
  refused?: (error: PaymentsError) => void
}

/** Every error of the door as an answer: refusals are counted, kept as evidence and limited, failures are logged. */
export function answerErrors(
  app: FastifyInstance,
  services: Services,
  { rejections, fail, refused }: Refusing,
): void {
  const tellAborts = logSampled(abortsToldEveryMs, (times) =>
    services.log.info({ times }, 'deliveries broken off by the sender'),
  )
  app.setErrorHandler(async (error, request, reply) => {
    const status = statusOfError(error)
    if (error instanceof PaymentsError) {
      request.log.info({ reason: error.reason }, 'notification refused')
      rejections.note(error.reason, request)
      services.observations.sawDelivery({ status, reason: error.reason })
      refused?.(error)
      const { within } = await services.limits.count(limitRules.refusedNotifications, 'refused')
      return fail(reply, within ? status : 429)
    }
    if (isHungUp(error)) tellAborts()
    else if (status >= 500) request.log.error({ err: error }, 'notification failed')
    return fail(reply, status)
  })
}

/** Refuses what says that it is too long before any of it is read. */
export function refuseLongBodies(app: FastifyInstance, bodyLimit: number, fail: Refusing['fail']): void {
  app.addHook('onRequest', async (request, reply) => {
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit)
      return fail(reply.header('connection', 'close'), 413)
    return undefined
  })
}

/** The bytes of a delivery as they came. */
export const bodyOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
