import { before, type Condition, minuteMs, type Watch } from '../condition.ts'
import { isLater, readObservations } from '../read-observations.ts'

const windowMs = 2 * minuteMs
const fewest = 3

/** The two platforms we call, by the words that stand in the alert. */
const platforms = [
  { subject: 'payment', answered: 'payment_answered', unanswered: 'payment_unanswered' },
  { subject: 'mini-program', answered: 'mini_program_answered', unanswered: 'mini_program_unanswered' },
] as const

/** No call of the last two minutes got an answer, and at least three were tried; over with the first answer. */
export const platformUnreachable: Watch = {
  kind: 'platform_unreachable',
  find: async ({ pool, now }) => {
    const kinds = platforms.flatMap(({ answered, unanswered }) => [answered, unanswered])
    const seen = await readObservations(pool, kinds, { since: before(now, windowMs), until: now })
    return platforms.flatMap(({ subject, answered, unanswered }): Condition[] => {
      const [answer, silence] = [seen(answered), seen(unanswered)]
      if (!silence.lastAt || !isLater(silence, answer)) return []
      const detail = { unanswered: silence.recent, last_answer_at: answer.lastAt }
      const opens = answer.recent === 0 && silence.recent >= fewest
      return [{ subject, detail, evidenceAt: silence.lastAt, opens }]
    })
  },
}
