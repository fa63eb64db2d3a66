import { setTimeout as pause } from 'node:timers/promises'
import { column, execute, nullable, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { type Secrets, unseal } from '../platform/crypto/seal.ts'
import { type Post, postWith } from '../platform/network/post-message.ts'
import type { Services } from '../services.ts'
import { collectEvents } from './collect-events.ts'
import { type Outcome, recordOutcome } from './record-outcome.ts'
import { aboutSecret } from './sealed-webhook-secrets.ts'
import { webhookHeaders } from './sign-webhook.ts'

const { sql } = Prisma

/** Success is 2xx within that (SPEC §17). */
const timeoutMs = 15_000
/** Longer than a try takes: who had it was stopped, and somebody else sends it. */
const claimSeconds = 60
const keptBytes = 4_096
/** Of one endpoint at once, and of all: a receiver that hangs keeps none but its own waiting. */
const atOncePerEndpoint = 4
const mostAtOnce = 32

const claimedColumns = {
  id: column.bigint,
  endpointId: column.text,
  url: column.text,
  webhookId: column.text,
  body: column.text,
  attempts: column.integer,
  sealedSecret: column.bytes,
  sealedPreviousSecret: nullable(column.bytes),
}
export type Claimed = RowOf<typeof claimedColumns>

/**
 * Takes deliveries that are due, a few of each endpoint: none whose subject has an earlier one on its way there. Whoever
 * claims one has it for a minute; nothing is locked while it is sent.
 */
const claimDeliveries = (pool: Pool, room: number): Promise<Claimed[]> =>
  execute(
    pool,
    query(
      'claim-deliveries',
      sql`
      WITH due AS (
        SELECT d.id FROM webhook_endpoints e, LATERAL (
          SELECT d.id, d.next_attempt_at FROM webhook_deliveries d
          WHERE d.endpoint_id = e.id AND d.state = 'waiting' AND d.next_attempt_at <= business_now()
            AND (d.claimed_until IS NULL OR d.claimed_until <= business_now())
            AND NOT EXISTS (SELECT FROM webhook_deliveries earlier WHERE earlier.endpoint_id = d.endpoint_id
              AND earlier.state = 'waiting' AND earlier.subject_kind = d.subject_kind AND earlier.subject = d.subject
              AND earlier.id < d.id)
          ORDER BY d.next_attempt_at, d.id LIMIT greatest(0, ${atOncePerEndpoint} - (
            SELECT count(*) FROM webhook_deliveries sent WHERE sent.endpoint_id = e.id AND sent.state = 'waiting'
              AND sent.claimed_until > business_now()))
          FOR UPDATE OF d SKIP LOCKED) d
        WHERE e.disabled_at IS NULL AND e.deleted_at IS NULL ORDER BY d.next_attempt_at LIMIT ${room})
      UPDATE webhook_deliveries d SET claimed_until = business_now() + ${claimSeconds} * interval '1 second',
        last_attempt_at = business_now()
      FROM due, webhook_endpoints e WHERE d.id = due.id AND e.id = d.endpoint_id
      RETURNING d.id, d.endpoint_id::text AS "endpointId", e.url, d.attempts, e.sealed_secret AS "sealedSecret",
        CASE WHEN e.previous_secret_until > business_now() THEN e.sealed_previous_secret END AS "sealedPreviousSecret",
        coalesce((SELECT v.event_id FROM events v WHERE v.id = d.event_id), 'test_' || d.id) AS "webhookId",
        coalesce(d.body, (SELECT v.body FROM events v WHERE v.id = d.event_id)) AS body`,
      claimedColumns,
    ),
  )

/** What PostgreSQL can keep of an answer: no NUL, and no more bytes than are kept once broken characters are replaced. */
export function storable(text: string): string {
  const clean = text.replaceAll(/[\0\p{Surrogate}]/gu, '\u{fffd}')
  let end = Math.min(clean.length, keptBytes)
  while (Buffer.byteLength(clean.slice(0, end)) > keptBytes) end -= 1
  return clean.slice(0, end).replace(/\p{Surrogate}$/u, '')
}

async function tryOnce(post: Post, dataKey: Secrets, at: Date, claimed: Claimed): Promise<Outcome> {
  const { endpointId, url, webhookId: id, body, sealedSecret, sealedPreviousSecret } = claimed
  const open = (sealed: Uint8Array) => unseal(dataKey, aboutSecret(endpointId), sealed).toString('utf8')
  const secrets = [open(sealedSecret), ...(sealedPreviousSecret ? [open(sealedPreviousSecret)] : [])]
  try {
    const headers = webhookHeaders({ id, at, body, secrets })
    const { status, body: answer } = await post({ url, method: 'POST', body, headers })
    return { status, answer: storable(answer), error: null }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const said = error instanceof Error ? error.message || error.name : String(error)
    return { status: null, answer: null, error: storable(code || said).slice(0, 200) }
  }
}

/** Sends what is due until nothing is, so many at once; answers how many were tried. */
async function sendDue({ pool, post, dataKey, now }: Sender): Promise<number> {
  const claimed = await claimDeliveries(pool, mostAtOnce)
  await Promise.all(
    claimed.map(async (one) => recordOutcome(pool, one, await tryOnce(post, dataKey, now(), one))),
  )
  return claimed.length
}

type Sender = { pool: Pool; post: Post; dataKey: Secrets; now: () => Date }

/** How often is looked for what happened, and for what is due. */
const lookEveryMs = 1_000

/**
 * Collects what happened and sends it, while this process runs jobs. A round that fails is told once and the next one
 * goes on: nothing is lost, since what was not kept or recorded is found again.
 */
export function keepEventsSent(
  { config, log, doors, runtime }: Services,
  { everyMs = lookEveryMs }: { everyMs?: number } = {},
): { stop: () => Promise<void> } {
  const { pool } = doors.jobs
  const reach = config.platform === 'sandbox' ? 'loopback' : 'public'
  const post = postWith(reach, { timeoutMs, keepBytes: keptBytes })
  const sender = { pool, post, dataKey: config.DATA_KEY, now: runtime.now }
  const stopping = new AbortController()
  const repeat = async (work: () => Promise<unknown>) => {
    let failing = false
    while (!stopping.signal.aborted) {
      failing = await work().then(
        () => false,
        (error: unknown) => {
          if (!failing) log.warn({ component: 'events', reason: String(error) }, 'events wait')
          return true
        },
      )
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const sendAll = async () => {
    while (!stopping.signal.aborted && (await sendDue(sender)) > 0);
  }
  const loops = [repeat(() => collectEvents(pool)), repeat(sendAll)]
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}
