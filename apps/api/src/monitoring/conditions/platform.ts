import { before, type Condition, hourMs, minuteMs, type Watch } from '../condition.ts'
import { isLater } from '../observations.ts'

const triedWithinMs = 2 * minuteMs
const fewestUnanswered = 3

/** The two platforms we call, by the words that stand in the alert. */
const platforms = [
  { subject: 'payment', answered: 'payment_answered', unanswered: 'payment_unanswered' },
  { subject: 'mini-program', answered: 'mini_program_answered', unanswered: 'mini_program_unanswered' },
] as const

/** No call of the last two minutes got an answer, and at least three were tried; over with the first answer. */
export const platformUnreachable: Watch = {
  kind: 'platform_unreachable',
  isUrgent: true,
  observes: {
    kinds: platforms.flatMap(({ answered, unanswered }) => [answered, unanswered]),
    withinMs: triedWithinMs,
  },
  find: async ({ seen }) => {
    return platforms.flatMap(({ subject, answered, unanswered }): Condition[] => {
      const [answer, silence] = [seen(answered), seen(unanswered)]
      if (!silence.lastAt || !isLater(silence, answer)) return []
      const detail = { unanswered: silence.recent, last_answer_at: answer.lastAt }
      const opens = answer.recent === 0 && silence.recent >= fewestUnanswered
      return [{ subject, detail, evidenceAt: silence.lastAt, opens }]
    })
  },
}

const refusedWithinMs = 5 * minuteMs
const fewestRefused = 3
const deliveryKinds = ['delivery_accepted', 'delivery_refused', 'delivery_unverified'] as const

/** The platform repeats a delivery for a day: as long nothing accepted says that nothing has been mended. */
const platformRepeatsMs = 24 * hourMs

/**
 * At least three deliveries within five minutes refused and none accepted. Verified and refused, it is the platform's
 * and ours to mend; over when one is accepted. With a wrong signature it may be anybody's: a warning, once an hour.
 */
export const notificationsRefused: Watch = {
  kind: 'notifications_refused',
  isUrgent: true,
  observes: { kinds: deliveryKinds, withinMs: refusedWithinMs },
  find: async ({ now, seen }) => {
    const accepted = seen('delivery_accepted')
    const found = (
      kind: (typeof deliveryKinds)[number],
      keptMs: number,
    ): Pick<Condition, 'evidenceAt' | 'opens'>[] => {
      const refused = seen(kind)
      if (!refused.lastAt || !isLater(refused, accepted) || refused.lastAt <= before(now, keptMs)) return []
      return [{ evidenceAt: refused.lastAt, opens: accepted.recent === 0 && refused.recent >= fewestRefused }]
    }
    const detail = { last_accepted_at: accepted.lastAt }
    return [
      ...found('delivery_refused', platformRepeatsMs).map((condition) => ({
        ...condition,
        subject: 'verified',
        detail: { ...detail, refused: seen('delivery_refused').recent },
      })),
      ...found('delivery_unverified', hourMs).map((condition) => ({
        ...condition,
        subject: 'unverified',
        detail: { ...detail, refused: seen('delivery_unverified').recent, severity: 'warning' },
        atMostEveryMs: hourMs,
      })),
    ]
  },
}
