import { problems } from '@meridian/contracts'
import { isRefusedContent } from '@meridian/db'
import { type Payments, PaymentsError } from '@meridian/payments'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keepKeysFresh } from '../../keys/platform-keys.ts'
import { keepUnreadable, type VerifiedDelivery } from '../../notifications/record-notification.ts'
import { type NotificationOrigin, receiveNotification } from '../../payments/receive-notification.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { DeadlineError, withDeadline } from '../../platform/limits/bounded-work.ts'
import { limitRules } from '../../platform/limits/open-limits.ts'
import { logSampled } from '../../platform/log.ts'
import { atDoor, type Services } from '../../services.ts'
import { isDatabaseDown, isHungUp } from '../problem.ts'
import { failure, NOTIFICATION_PATH, outcomeStatus, refusalStatus } from './answer.ts'
import { collectRejections } from './collect-rejections.ts'

const bodyLimit = 64 * 1024
/** The platform gives up after 5 s: whoever has no answer by then is told to repeat, waiting for a connection included. */
const deadlineMs = 3_000
const abortsToldEveryMs = 10_000

const fail = (reply: FastifyReply, status: number) =>
  reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(failure(status))

type Notification = ReturnType<Payments['readNotification']>

/** What a notification locks: its order; one that names none, itself. */
function orderOf(notification: Notification): string {
  if (notification.kind === 'payment') return notification.payment.outTradeNo
  return notification.kind === 'refund' ? notification.refund.outTradeNo : notification.id
}

type Received = { headers: FastifyRequest['headers']; body: Buffer }

/** Reads a delivery; one that the platform signed and that cannot be read is kept before anything is answered. */
async function readOrKeep({ database }: Services, payments: Payments, received: Received) {
  try {
    return payments.readNotification(received)
  } catch (error) {
    if (error instanceof PaymentsError && error.signed)
      await keepUnreadable(database.pool, { ...received, origin: error.signed, reason: error.reason })
    throw error
  }
}

/** Processes a delivery; one whose content the database refuses is kept, and would be refused on every repeat. */
async function processOrKeep(
  { database: { pool } }: Services,
  delivery: VerifiedDelivery,
  by: NotificationOrigin,
) {
  try {
    return await receiveNotification(pool, delivery, by)
  } catch (error) {
    if (!isRefusedContent(error)) throw error
    const { notification: origin, headers, body } = delivery
    await keepUnreadable(pool, { headers, body, origin, reason: 'refused_content' })
    throw new PaymentsError('malformed_payload', { about: 'refused by the database', cause: error })
  }
}

/** One verified delivery; answers the status the platform gets. */
async function receive(services: Services, request: FastifyRequest, signal: AbortSignal): Promise<number> {
  const { payments } = services
  if (!payments) return 503
  const { headers } = request
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const notification = await readOrKeep(services, payments, { headers, body })
  const by = { confirmedBy: 'notification', requestId: request.id, mchId: payments.mchId } as const
  const outcome = await services.ordersInTurn.run(
    orderOf(notification),
    () => processOrKeep(services, { headers, body, notification }, by),
    signal,
  )
  const outTradeNo = notification.kind === 'payment' ? notification.payment.outTradeNo : undefined
  request.log.info({ notification: notification.id, outTradeNo, outcome }, 'notified')
  const status = outcomeStatus[outcome]
  services.observations.sawDelivery({ status, reason: status === 204 ? null : outcome })
  return status
}

function statusOfError(error: unknown): number {
  if (error instanceof PaymentsError) return refusalStatus(error.reason)
  if (isHungUp(error)) return 400
  if (error instanceof DomainError) return problems[error.code].http
  if (error instanceof DeadlineError || isDatabaseDown(error)) return 503
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500
  return typeof status === 'number' ? status : 500
}

/**
 * Answers every method but POST in the terms of this door. For the whole app, because a method without a route never
 * comes to the scope of the door.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'POST' || request.url.split('?')[0] !== NOTIFICATION_PATH) return undefined
    return fail(reply.header('allow', 'POST'), 405)
  })
}

/**
 * Where the payment platform speaks to us: raw bytes in a scope of its own, so that nothing parses or alters them
 * before their signature has held.
 */
export function notificationDoor(services: Services) {
  return async (app: FastifyInstance) => {
    const rejections = collectRejections(services)
    const keys = keepKeysFresh(services)
    const paying = atDoor(services, 'payments')
    const tellAborts = logSampled(abortsToldEveryMs, (times) =>
      services.log.info({ times }, 'deliveries broken off by the sender'),
    )
    app.addHook('onClose', async () => {
      keys.stop()
      await rejections.stop()
    })
    app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )
    app.setErrorHandler(async (error, request, reply) => {
      const status = statusOfError(error)
      if (error instanceof PaymentsError) {
        request.log.info({ reason: error.reason }, 'notification refused')
        rejections.note(error.reason, request)
        services.observations.sawDelivery({ status, reason: error.reason })
        if (error.reason === 'unknown_serial') keys.missed()
        const { within } = await services.limits.count(limitRules.refusedNotifications, 'refused')
        return fail(reply, within ? status : 429)
      }
      if (isHungUp(error)) tellAborts()
      else if (status >= 500) request.log.error({ err: error }, 'notification failed')
      return fail(reply, status)
    })
    app.addHook('onRequest', async (request, reply) => {
      if (Number(request.headers['content-length'] ?? 0) > bodyLimit)
        return fail(reply.header('connection', 'close'), 413)
      return undefined
    })
    app.post(NOTIFICATION_PATH, { bodyLimit, config: { pays: true } }, async (request, reply) => {
      const status = await withDeadline(deadlineMs, (signal) => receive(paying, request, signal))
      return status === 204 ? reply.code(204).send() : fail(reply, status)
    })
  }
}
