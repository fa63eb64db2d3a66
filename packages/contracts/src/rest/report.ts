import { z } from 'zod'
import { reportKinds } from '../choices.ts'
import { pageOf } from '../paging.ts'
import { isStorableJson, STORABLE_LEVELS } from '../storable.ts'
import type { Words } from '../text.ts'

export const ReportKind = z.enum(reportKinds)
export type ReportKind = z.infer<typeof ReportKind>

/** The body of a report may be larger than any other. */
export const REPORT_LIMIT_BYTES = 256 * 1024

const earliest = new Date('2000-01-01T00:00:00Z')
const latest = new Date('2100-01-01T00:00:00Z')

/** An instant within the years a wearable can know of. */
const Instant = z.iso
  .datetime({ offset: true })
  .refine((text) => new Date(text) >= earliest && new Date(text) < latest, {
    params: { zh: '必须在 2000 年至 2100 年之间', en: 'must lie between 2000 and 2100' } satisfies Words,
  })

const Json = z.record(z.string(), z.unknown())

/** An object of any shape. Its documented form stands apart from its check: the schema's own copies each of thousands. */
const Measurement = z
  .unknown()
  .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} })

const isMeasurement = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** One word about a hundred thousand wrong measurements: a word about each would keep everybody else waiting. */
function refuseOthers(list: unknown, context: z.RefinementCtx): unknown {
  if (!Array.isArray(list) || list.every(isMeasurement)) return list
  context.addIssue({
    code: 'custom',
    input: list,
    params: { zh: '每一项都必须是对象', en: 'must be objects' } satisfies Words,
  })
  return z.NEVER
}

const storable = {
  params: {
    zh: `文本和数字必须可以保存（数字不超过 1.8e308），嵌套不超过 ${STORABLE_LEVELS} 层`,
    en: `must be text and numbers that can be stored (up to 1.8e308), nested at most ${STORABLE_LEVELS} deep`,
  } satisfies Words,
}

export const ReportRequest = z
  .object({
    client_report_id: z.string().regex(/^[\x21-\x7e]{1,128}$/),
    kind: ReportKind,
    serial_number: z
      .string()
      .regex(/^[A-Za-z0-9-]{4,32}$/)
      .toUpperCase()
      .nullish(),
    program_code: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .nullish(),
    started_at: Instant,
    ended_at: Instant,
    score: z.number().min(-1_000_000).max(1_000_000).nullish(),
    summary: Json.refine((summary) => isStorableJson(summary), storable),
    measurements: z.preprocess(
      refuseOthers,
      z.array(Measurement).refine((list) => isStorableJson(list), storable),
    ),
  })
  .refine(({ started_at, ended_at }) => new Date(ended_at) >= new Date(started_at), {
    path: ['ended_at'],
    params: { zh: '不得早于 started_at', en: 'must not lie before started_at' } satisfies Words,
  })
export type ReportRequest = z.infer<typeof ReportRequest>

const ReportHead = z.object({
  id: z.uuid(),
  client_report_id: z.string(),
  kind: ReportKind,
  serial_number: z.string().nullable(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  score: z.number().nullable(),
  summary: Json,
  /** Whether the measurements are withheld: they take the feature `report_detail`. */
  locked: z.boolean(),
  created_at: z.iso.datetime(),
})

export const Report = ReportHead.extend({ measurements: z.array(Measurement).optional() })
export type Report = z.infer<typeof Report>

export const ReportList = pageOf(ReportHead)

/** Which reports a list holds: by kind and by when they started, `from` included and `to` not. */
export const ReportQuery = z.object({
  kind: ReportKind.optional(),
  from: Instant.optional(),
  to: Instant.optional(),
})
