import { SerialId, schedule } from '@meridian/contracts'
import { effect, type Part, Prisma, type Reading } from '@meridian/db'
import { z } from 'zod'
import { queueNowSql, queueTimeSql } from './read-queue.ts'

/** Jobs that the clock alone starts, or that need to know nothing; what earlier releases gave them is not looked at. */
const Nothing = z.object({}).catch({})
const outTradeNo = z.string()
const attempt = z.int()

/** Every job there is, with what it needs to know: its producer is typed by this, its consumer reads by it. */
const shapes = {
  /** `fromOpening`: planned when the order was opened, for a prepay that was still to be obtained. */
  sweep_order: z.object({ outTradeNo, attempt, fromOpening: z.literal(true).optional() }),
  track_refund: z.object({ outRefundNo: z.string(), attempt }),
  follow_payment: z.object({ outTradeNo }),
  /** The same for payments that were made within a second. A name of its own: workers of the release before leave it. */
  follow_payments: z.object({ outTradeNos: z.array(outTradeNo) }),
  /** Virtual payment: what the platform says of a paid attempt, and that it was delivered. */
  confirm_delivery: z.object({ attemptNo: z.string(), attempt }),
  /** Asks what a pushed number is that we never issued. */
  ask_unknown_push: z.object({ notificationId: z.string() }),
  refresh_keys: Nothing,
  check_invariants: Nothing,
  /** Brings the sums of the overview up to date. */
  add_up: Nothing,
  /** Counts what takes too long to be counted for whoever asks. */
  keep_funnels: Nothing,
  /** Writes down what the last week came to, for the channels to be told. */
  write_digest: Nothing,
  forget_old: Nothing,
  /** A day by name, or the moment the queue meant: a run that is made up for later is still for its own yesterday. */
  reconcile_day: z.union([
    z.object({ date: z.iso.date() }),
    z.object({ _cron: z.object({ ts: z.coerce.date() }) }),
  ]),
  /** The same of virtual payment, whose orders are asked about one by one. */
  reconcile_virtual_day: z.union([
    z.object({ date: z.iso.date() }),
    z.object({ _cron: z.object({ ts: z.coerce.date() }) }),
  ]),
  upload_shipping: z.object({ outTradeNo, attempt }),
  queue_missed_shipping: Nothing,
  remind_expiring: Nothing,
  apply_setting: z.object({ requestId: SerialId }),
  /** Writes a list that is too long to be waited for into a file. */
  write_export: z.object({ exportId: SerialId }),
  /** Begins the files of schedules whose hour has come. */
  start_due_exports: Nothing,
  /** Sends the file of one day where its schedule says. */
  deliver_export: z.object({ scheduleId: z.uuid(), day: z.iso.date() }),
  /** Takes a file of another system over. */
  take_import: z.object({ importId: z.uuid() }),
  /** Takes what an import made back. */
  undo_import: z.object({ importId: z.uuid() }),
  retire_unpaid_orders: z.object({ userId: z.uuid(), exceptOutTradeNo: z.string() }),
}

export type Jobs = { [Name in keyof typeof shapes]: z.infer<(typeof shapes)[Name]> }
export type JobName = keyof Jobs

export const jobShapes: { readonly [Name in JobName]: z.ZodType<Jobs[Name]> } = shapes

/** What stands before the business key: two jobs of one key never wait side by side, the later replaces the earlier. */
const keyPrefixes = {
  sweep_order: 'sweep:',
  retire_unpaid_orders: 'retire:',
  follow_payment: 'follow:',
  track_refund: 'refund:',
  confirm_delivery: 'deliver:',
  ask_unknown_push: 'ask-push:',
  upload_shipping: 'ship:',
  deliver_export: 'send-export:',
  take_import: 'import:',
  undo_import: 'undo-import:',
  reconcile_day: 'reconcile:',
  reconcile_virtual_day: 'reconcile-virtual:',
} as const satisfies Partial<Record<JobName, string>>

/** A job that there is one of for each thing it is about. */
export type KeyedJob = keyof typeof keyPrefixes

/** The key of a job about the one thing that `subject`, an expression of type text, names. */
export const jobKeySql = (job: KeyedJob, subject: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(`'${keyPrefixes[job]}'`)} || ${subject}`

/** Each member of a payload as a value or as an expression. */
type Members<Payload> = Payload extends unknown
  ? { readonly [Member in keyof Payload]: Prisma.Sql | Payload[Member] }
  : never

/** What a job is to know, as an expression of type json; it remembers which job it is for. */
export type JobPayloadSql<Name extends JobName> = { readonly job: Name; readonly json: Prisma.Sql }

function memberSql(value: unknown): Prisma.Sql {
  if (value instanceof Prisma.Sql) return value
  if (typeof value === 'boolean') return Prisma.sql`${value}::boolean`
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

const scheduled: readonly { cron: string; job: JobName; options: string }[] = schedule

/** The schedule in the words of the job library. */
export const crontab = (): string =>
  scheduled.map(({ cron, job, options }) => `${cron} ${job} ${options}`).join('\n')

/** `runAt` is an instant of the business. */
type Timing = { runAt?: Prisma.Sql; key?: Prisma.Sql }

/**
 * An SQL expression that enqueues a job inside the statement it is part of, so that what must follow a commit is
 * a row of that commit. `enqueue_job` calls add_job of graphile-worker until the job is added (docs/decisions/0003).
 */
export const enqueueJobSql = <Name extends JobName>(
  job: Name,
  payload: JobPayloadSql<Name>,
  { runAt, key }: Timing = {},
): Prisma.Sql =>
  Prisma.sql`enqueue_job(${job}, ${payload.json}, ${runAt ? queueTimeSql(runAt) : queueNowSql}, ${key ?? Prisma.sql`NULL`})`

type Queued<Job extends JobName> = Timing & { job: Job; payload: JobPayloadSql<Job> }

/**
 * The same as a part of a statement: one job for each row of `source`, whose columns payload, time and key may read. For
 * what is rare, or waited for: the commit notifies. What each purchase or payment brings goes by scheduleJobPart.
 */
export const enqueueJobPart = <const Name extends string, Reads extends string, Job extends JobName>(
  name: Name,
  source: Reading<Reads>,
  { job, payload, ...timing }: Queued<Job>,
): Part<Name, Reads> =>
  effect(name, source.reads, Prisma.sql`SELECT ${enqueueJobSql(job, payload, timing)} FROM ${source.sql}`)
