import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keepKeysFresh } from '../../keys/platform-keys.ts'
import { withDeadline } from '../../platform/limits/bounded-work.ts'
import { noteOrder } from '../../platform/measures/order-measures.ts'
import { atDoor, type Services } from '../../services.ts'
import { failure, NOTIFICATION_PATH, outcomeStatus, PUSH_PATH, pushFailure } from './answer.ts'
import { collectRejections } from './collect-rejections.ts'
import {
  answerErrors,
  bodyOf,
  orderOf,
  processOrKeep,
  readOrKeep,
  refuseLongBodies,
} from './receive-delivery.ts'

const bodyLimit = 64 * 1024
/** The platform gives up after 5 s: whoever has no answer by then is told to repeat, waiting for a connection included. */
const deadlineMs = 3_000

const jsonAnswer = (reply: FastifyReply, status: number, body: object) =>
  reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)

const fail = (reply: FastifyReply, status: number) => jsonAnswer(reply, status, failure(status))

/** One verified delivery; answers the status the platform gets. */
async function receive(services: Services, request: FastifyRequest, signal: AbortSignal): Promise<number> {
  const { payments } = services
  if (!payments) return 503
  const { headers } = request
  const body = bodyOf(request)
  const notification = await readOrKeep(services, { headers, body }, () =>
    payments.readNotification({ headers, body }),
  )
  const by = { confirmedBy: 'notification', requestId: request.id, mchId: payments.mchId } as const
  noteOrder(orderOf(notification))
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

/** Answers a push that failed; never with an empty body. */
export const failPush = (reply: FastifyReply, status: number) =>
  jsonAnswer(reply, status, pushFailure(status))

/** Which methods the platform's doors know, and how they say no to others. */
const doorsOfPlatform: Readonly<Record<string, { methods: readonly string[]; fail: typeof fail }>> = {
  [NOTIFICATION_PATH]: { methods: ['POST'], fail },
  [PUSH_PATH]: { methods: ['GET', 'POST'], fail: failPush },
}

/**
 * Answers every other method in the terms of these doors. For the whole app, because a method without a route never
 * comes to the scope of its door.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const door = doorsOfPlatform[request.url.split('?')[0] ?? '']
    if (!door || door.methods.includes(request.method)) return undefined
    return door.fail(reply.header('allow', door.methods.join(', ')), 405)
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
    app.addHook('onClose', async () => {
      keys.stop()
      await rejections.stop()
    })
    app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )
    answerErrors(app, services, {
      rejections,
      fail,
      refused: ({ reason }) => {
        if (reason === 'unknown_serial') keys.missed()
      },
    })
    refuseLongBodies(app, bodyLimit, fail)
    app.post(NOTIFICATION_PATH, { bodyLimit, config: { pays: true } }, async (request, reply) => {
      const status = await withDeadline(deadlineMs, (signal) => receive(paying, request, signal))
      return status === 204 ? reply.code(204).send() : fail(reply, status)
    })
  }
}
