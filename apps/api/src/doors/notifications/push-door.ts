import type { NotificationOutcome } from '@meridian/contracts'
import type { VerifiedPush } from '@meridian/payments'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { receiveOtherPush } from '../../payments/receive-push.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { withDeadline } from '../../platform/limits/bounded-work.ts'
import { answerInquiry } from '../../refunds/answer-inquiry.ts'
import { atDoor, type Services } from '../../services.ts'
import { PUSH_PATH, pushStatus } from './answer.ts'
import { collectRejections } from './collect-rejections.ts'
import { failPush } from './notification-door.ts'
import {
  answerErrors,
  bodyOf,
  orderOf,
  processOrKeep,
  readOrKeep,
  refuseLongBodies,
} from './receive-delivery.ts'

const bodyLimit = 64 * 1024
/** The platform waits three seconds, as far as it says (virtual payment §4.3, §9). */
const deadlineMs = 2_000

/** What stands in the address; of a parameter given twice nothing is known. It is never logged: it holds an openid. */
const Query = z.record(z.string(), z.string()).catch({})

const virtualOf = ({ virtual }: Services) => {
  if (!virtual) throw new DomainError('payment_not_configured')
  return virtual
}

/** How a push is answered: with a status, or with what Apple is told. */
type Answer = { status: number } | { sealed: string }

/** What a push is counted as: one about money whose number neither side knows is a probe (SPEC §15). */
const countedAs = ({ kind }: VerifiedPush, outcome: NotificationOutcome): VerifiedPush['kind'] =>
  outcome === 'ignored' && (kind === 'payment' || kind === 'refund') ? 'probe' : kind

/** One push; `success` means delivered, and is said only once everything is committed. */
async function receive(services: Services, request: FastifyRequest, signal: AbortSignal): Promise<Answer> {
  const virtual = virtualOf(services)
  const [headers, body] = [Query.parse(request.query), bodyOf(request)]
  const push = await readOrKeep(services, { headers, body }, () => virtual.readPush(headers, body))
  let counted = push.kind
  try {
    if (push.kind === 'inquiry') return { sealed: await answerInquiry(services, push.inquiry) }
    const delivery = { headers, body, notification: push }
    const { offerId: mchId, env } = virtual
    const by = { confirmedBy: 'notification', requestId: request.id, mchId, env } as const
    const outcome = await services.ordersInTurn.run(
      orderOf(push),
      () =>
        push.kind === 'payment' || push.kind === 'refund'
          ? processOrKeep(services, delivery, by)
          : receiveOtherPush(services, push, delivery),
      signal,
    )
    counted = countedAs(push, outcome)
    request.log.info({ notification: push.id, outcome }, 'pushed')
    const status = pushStatus(outcome)
    services.observations.sawDelivery({ status, reason: status === 200 ? null : outcome })
    return { status }
  } finally {
    services.observations.sawPush(counted)
  }
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if ('sealed' in answer) return reply.code(200).type('application/json; charset=utf-8').send(answer.sealed)
  if (answer.status !== 200) return failPush(reply, answer.status)
  return reply.code(200).type('text/plain; charset=utf-8').send('success')
}

/**
 * Where the mini-program's message push comes (virtual payment §4): raw bytes of whatever type in a scope of its own, so
 * that nothing parses or alters them before their signature has held.
 */
export function pushDoor(services: Services) {
  return async (app: FastifyInstance) => {
    const rejections = collectRejections(services)
    const paying = atDoor(services, 'payments')
    app.addHook('onClose', () => rejections.stop())
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )
    answerErrors(app, services, { rejections, fail: failPush })
    refuseLongBodies(app, bodyLimit, failPush)
    // The platform asks whether the address is ours; what it wants to hear is what it said (virtual payment §4.1).
    app.get(PUSH_PATH, { exposeHeadRoute: false }, async (request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(virtualOf(services).verifyAddress(Query.parse(request.query))),
    )
    app.post(PUSH_PATH, { bodyLimit, config: { pays: true } }, async (request, reply) =>
      send(reply, await withDeadline(deadlineMs, (signal) => receive(paying, request, signal))),
    )
  }
}
