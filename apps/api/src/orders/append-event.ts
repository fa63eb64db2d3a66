import type { PlatformReply } from '@meridian/contracts'
import { type Part, Prisma, part, type Reading } from '@meridian/db'

/** By which way something happened to an order. */
export type Channel =
  | 'rest'
  | 'notification'
  | 'sync'
  | 'sweep'
  | 'bill'
  | 'admin_sync'
  | 'replay'
  | 'job'
  | 'console'
  | 'import'

/** Who or what caused it: kept on the timeline. */
export type Trace = { channel: Channel; requestId: string | null; operatorId?: string | null }

/** The same where each row of the source has its own: expressions on its columns. */
export type TraceOfRow = { channel: Prisma.Sql; requestId: Prisma.Sql; operatorId: Prisma.Sql }

type Entry = { kind: string; trace: Trace | TraceOfRow; detail?: Prisma.Sql }

/**
 * The one writer of the timeline: an insert that takes its orders from `source`, a relation with the columns
 * id, from_status and status.
 */
export const appendEventsSql = (source: Prisma.Sql, { kind, trace, detail }: Entry): Prisma.Sql => Prisma.sql`
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, ${kind}, from_status, status, ${trace.channel}, ${trace.requestId}, ${trace.operatorId ?? null}::uuid,
         ${detail ?? Prisma.sql`'{}'::jsonb`}
  FROM ${source}`

/** The same as the part `recorded` of a statement. */
export const appendEventsPart = <Reads extends string>(
  source: Reading<Reads>,
  entry: Entry,
): Part<'recorded', Reads> => part('recorded', source.reads, appendEventsSql(source.sql, entry))

/** A call to the platform that moved nothing. */
export type ReplyKind = 'ask' | 'prepay_failed' | 'close_failed'

type Reply = { kind: ReplyKind; trace: Trace; reply: PlatformReply }

/**
 * The same for what the platform replied without moving the order; `source` has created_at too. What the newest line
 * says already is told again after thirty seconds, or a hundredth of the order's age: a phone may ask thirty times a
 * minute, for ever, and no line is ever taken away. An operator's question always leaves its line, and the order of a
 * payment none: its own line says more.
 */
export function appendRepliesSql(source: Prisma.Sql, { kind, trace, reply }: Reply): Prisma.Sql {
  const detail = Prisma.sql`${JSON.stringify(reply)}::jsonb`
  const untold = Prisma.sql`NOT EXISTS (
    SELECT FROM (SELECT * FROM order_events e WHERE e.order_id = standing.id ORDER BY e.id DESC LIMIT 1) newest
    WHERE newest.kind = ${kind} AND newest.channel = ${trace.channel}
      AND newest.detail - 'platform_request_id' = ${detail} - 'platform_request_id'
      AND newest.at > business_now() - greatest(interval '30 seconds', (business_now() - standing.created_at) / 100))`
  const told = Prisma.sql`${source} standing
    WHERE status NOT IN ('paid', 'refunded') AND (${trace.operatorId ?? null}::uuid IS NOT NULL OR ${untold})`
  return appendEventsSql(told, { kind, trace, detail })
}

/** The same as the part `replied` of a statement. */
export const appendRepliesPart = <Reads extends string>(
  source: Reading<Reads>,
  reply: Reply,
): Part<'replied', Reads> => part('replied', source.reads, appendRepliesSql(source.sql, reply))
