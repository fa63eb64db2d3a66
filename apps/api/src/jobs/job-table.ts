import { SerialId } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { z } from 'zod'

/** Jobs that the clock alone starts, or that need to know nothing; what earlier releases gave them is not looked at. */
const Nothing = z.object({}).catch({})
const outTradeNo = z.string()
const attempt = z.int()

/** Every job there is, with what it needs to know: its producer is typed by this, its consumer reads by it. */
const shapes = {
  sweep_order: z.object({ outTradeNo, attempt }),
  track_refund: z.object({ outRefundNo: z.string(), attempt }),
  follow_payment: z.object({ outTradeNo }),
  refresh_keys: Nothing,
  check_invariants: Nothing,
  forget_old: Nothing,
  /** A day by name, or the moment the queue meant: a run that is made up for later is still for its own yesterday. */
  reconcile_day: z.union([
    z.object({ date: z.iso.date() }),
    z.object({ _cron: z.object({ ts: z.coerce.date() }) }),
  ]),
  upload_shipping: z.object({ outTradeNo, attempt }),
  queue_missed_shipping: Nothing,
  remind_expiring: Nothing,
  apply_setting: z.object({ requestId: SerialId }),
  retire_unpaid_orders: z.object({ userId: z.uuid(), exceptOutTradeNo: z.string() }),
}

export type Jobs = { [Name in keyof typeof shapes]: z.infer<(typeof shapes)[Name]> }
export type JobName = keyof Jobs

export const jobShapes: { readonly [Name in JobName]: z.ZodType<Jobs[Name]> } = shapes

/** What stands before the business key: two jobs of one key never wait side by side, the later replaces the earlier. */
const keyPrefixes = {
  sweep_order: 'sweep:',
  track_refund: 'refund:',
  upload_shipping: 'ship:',
  reconcile_day: 'reconcile:',
} as const satisfies Partial<Record<JobName, string>>

/** The key of a job about the one thing that `subject`, an expression of type text, names. */
export const jobKeySql = (job: keyof typeof keyPrefixes, subject: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(`'${keyPrefixes[job]}'`)} || ${subject}`

/** Each member of a payload as a value or as an expression. */
type Members<Payload> = Payload extends unknown
  ? { readonly [Member in keyof Payload]: Prisma.Sql | Payload[Member] }
  : never

/** What a job is to know, as an expression of type json; it remembers which job it is for. */
export type JobPayloadSql<Name extends JobName> = { readonly job: Name; readonly json: Prisma.Sql }

function memberSql(value: unknown): Prisma.Sql {
  if (value instanceof Prisma.Sql) return value
  return typeof value === 'number' ? Prisma.sql`${value}::int` : Prisma.sql`${value}::text`
}

/** The payload of a job, written where its producer is: a member too few, too many or of another type does not compile. */
export function jobPayloadSql<Name extends JobName>(
  job: Name,
  members: Members<Jobs[Name]>,
): JobPayloadSql<Name> {
  const pairs = Object.entries(members).flatMap(([name, value]) => [
    Prisma.raw(`'${name}'`),
    memberSql(value),
  ])
  return { job, json: Prisma.sql`json_build_object(${pairs.length > 0 ? Prisma.join(pairs) : Prisma.empty})` }
}
