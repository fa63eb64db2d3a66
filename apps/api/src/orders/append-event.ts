import { Prisma } from '@meridian/db'

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

/** Who or what caused it: kept on the timeline. */
export type Trace = { channel: Channel; requestId: string | null; operatorId?: string | null }

type Entry = { kind: string; trace: Trace; detail?: Prisma.Sql }

/**
 * The one writer of the timeline: an insert that takes its orders from `source`, a relation with the columns
 * id, from_status and status.
 */
export const eventsFrom = (source: Prisma.Sql, { kind, trace, detail }: Entry): Prisma.Sql => Prisma.sql`
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, ${kind}, from_status, status, ${trace.channel}, ${trace.requestId}, ${trace.operatorId ?? null}::uuid,
         ${detail ?? Prisma.sql`'{}'::jsonb`}
  FROM ${source}`
