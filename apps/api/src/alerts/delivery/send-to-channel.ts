import { setTimeout as delay } from 'node:timers/promises'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import type { AlertChannel } from './alert-channel.ts'
import { type NewsSource, recordRefusedSql, recordTakenSql } from './other-news.ts'
import type { Send } from './send-message.ts'
import { type Batch, decideMessages, findUnsent } from './unsent-alerts.ts'
import { type AlertMessage, isAlert, isOther } from './write-message.ts'

const { sql } = Prisma

/** What became of a message: taken, or refused for a reason. */
type Outcome = { channelId: string; batch: Batch; refusal: string | null }

const kindOf = (batch: Batch) => {
  const [news] = batch
  return batch.length > 1 ? 'bundle' : news?.overAt ? 'over' : 'opened'
}

/** The alerts of a message as rows, less those that were forgotten meanwhile. */
function recordSentSql(batch: Batch): Prisma.Sql {
  const alerts = batch.filter(isAlert)
  return sql`
  SELECT told.id, told.over FROM unnest(${alerts.map(({ id }) => id)}::bigint[],
    ${alerts.map(({ overAt }) => overAt !== null)}::boolean[]) AS told (id, over) JOIN alerts ON alerts.id = told.id`
}

const othersOf = ({ channelId, batch }: Pick<Outcome, 'channelId' | 'batch'>) => ({
  channelId,
  others: batch.filter(isOther),
})

const takenSql = ({ channelId, batch }: Outcome): Prisma.Sql => sql`
  WITH told AS (${recordSentSql(batch)}), others AS (${recordTakenSql(othersOf({ channelId, batch }))}),
  message AS (
    INSERT INTO alert_messages (channel_id, kind, state, alert_id, alerts, ended_at)
    SELECT ${channelId}, ${kindOf(batch)}, 'sent', CASE WHEN count(*) = 1 THEN min(id) END, count(*), business_now() FROM told),
  delivery AS (
    INSERT INTO alert_deliveries AS known (channel_id, alert_id, told_at, over_told_at, attempts)
    SELECT ${channelId}, id, business_now(), CASE WHEN over THEN business_now() END, 1 FROM told
    ON CONFLICT (channel_id, alert_id) DO UPDATE SET told_at = coalesce(known.told_at, excluded.told_at),
      over_told_at = coalesce(known.over_told_at, excluded.over_told_at), attempts = 0, last_error = NULL)
  UPDATE alert_channels SET last_success_at = business_now(), failures = 0, next_attempt_at = business_now() WHERE id = ${channelId}`

/** A channel that fails pauses for 5 s, 10 s, 20 s … up to 5 minutes. */
const longestPauseSeconds = 300

const refusedSql = ({ channelId, batch, refusal }: Outcome, pauseSeconds: number): Prisma.Sql => sql`
  WITH told AS (${recordSentSql(batch)}), others AS (${recordRefusedSql(othersOf({ channelId, batch }), refusal)}),
  delivery AS (
    INSERT INTO alert_deliveries AS known (channel_id, alert_id, attempts, last_error)
    SELECT ${channelId}, id, 1, ${refusal} FROM told
    ON CONFLICT (channel_id, alert_id) DO UPDATE SET attempts = known.attempts + 1, last_error = excluded.last_error)
  UPDATE alert_channels SET last_failure_at = business_now(), last_error = ${refusal}, failures = failures + 1,
    next_attempt_at = business_now() + interval '1 second'
      * least(${longestPauseSeconds}::float8, ${pauseSeconds}::float8 * 2 ^ least(failures, 20))
  WHERE id = ${channelId}`

/** Writes down what became of a message: what was told is not told again, and a channel that failed pauses. */
async function recordMessage(pool: Pool, outcome: Outcome, pauseSeconds: number): Promise<void> {
  if (outcome.refusal === null) await execute(pool, query('record-alert-message', takenSql(outcome)))
  else await execute(pool, query('record-alert-refusal', refusedSql(outcome, pauseSeconds)))
}

/** Writes down how a test ended. */
const recordTest = (pool: Pool, testId: string | null, { channelId, refusal }: Omit<Outcome, 'batch'>) =>
  execute(
    pool,
    query(
      'record-alert-test',
      sql`
      WITH test AS (
        UPDATE alert_messages SET state = CASE WHEN ${refusal}::text IS NULL THEN 'sent' ELSE 'failed' END,
          error = ${refusal}, ended_at = business_now()
        WHERE id = ${testId}::bigint AND state = 'waiting')
      UPDATE alert_channels SET
        last_success_at = CASE WHEN ${refusal}::text IS NULL THEN business_now() ELSE last_success_at END,
        failures = CASE WHEN ${refusal}::text IS NULL THEN 0 ELSE failures END,
        next_attempt_at = CASE WHEN ${refusal}::text IS NULL THEN business_now() ELSE next_attempt_at END,
        last_failure_at = CASE WHEN ${refusal}::text IS NULL THEN last_failure_at ELSE business_now() END,
        last_error = coalesce(${refusal}, last_error)
      WHERE id = ${channelId}`,
    ),
  )

/** Writes down how a test ended that nobody asked for in the console; a channel that no program knows yet has no row. */
export const noteTest = async (pool: Pool, outcome: Omit<Outcome, 'batch'>): Promise<void> => {
  await recordTest(pool, null, outcome)
}

export type Sender = {
  pool: Pool
  send: Send
  consoleUrl: string
  /** Whether this process may begin a message: it holds the lease for longer than a message takes. */
  maySend: () => boolean
  /** The first pause of a channel that fails. */
  pauseSeconds: number
  /** Where else to look for what it is told, and how often. */
  sources?: readonly NewsSource[]
  sourcesEveryMs?: number
}

/** Feishu takes at most five messages a second. */
const gapMs = 250

const messageOf = (batch: Batch, consoleUrl: string): AlertMessage | null => {
  const [news] = batch
  if (!news) return null
  if (batch.length > 1) return { kind: 'bundle', all: batch, consoleUrl }
  if (isOther(news)) return { kind: 'other', news, consoleUrl }
  return { kind: news.overAt ? 'over' : 'opened', news, consoleUrl }
}

/**
 * Sends one channel what it has not been sent, round by round. What was sent and could not be written down is
 * remembered and written down before anything else is sent, so that only the death of the process repeats a message.
 */
export function openSender(channel: AlertChannel, sender: Sender) {
  const { pool, send, consoleUrl, maySend, pauseSeconds, sources = [], sourcesEveryMs = 0 } = sender
  let unrecorded: Outcome | null = null
  let nextLookAt = 0

  const sourcesOfThisRound = () => {
    const now = performance.now()
    if (now < nextLookAt) return []
    nextLookAt = now + sourcesEveryMs
    return sources
  }

  const record = async (outcome: Outcome) => {
    unrecorded = outcome
    await recordMessage(pool, outcome, pauseSeconds)
    unrecorded = null
  }

  const deliver = async (batch: Batch): Promise<boolean> => {
    const message = messageOf(batch, consoleUrl)
    if (!message || !maySend()) return false
    const refusal = await send(channel, message)
    await record({ channelId: channel.id, batch, refusal })
    await delay(gapMs)
    return refusal === null
  }

  return async function sendRound(): Promise<void> {
    if (!maySend()) return
    if (unrecorded) await record(unrecorded)
    const { unsent, allowance, testId } = await findUnsent(pool, channel.id, sourcesOfThisRound())
    if (testId && allowance > 0) {
      const refusal = await send(channel, { kind: 'test', consoleUrl })
      await recordTest(pool, testId, { channelId: channel.id, refusal })
    }
    const batches = decideMessages(unsent, testId ? allowance - 1 : allowance)
    for (const batch of batches) if (!(await deliver(batch))) return
  }
}
