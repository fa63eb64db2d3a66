import { z } from 'zod'
import { isFields } from '../read-fields.ts'

/** What an endpoint wants to answer; a body that is not bytes is sent as JSON, bytes as what `type` says they are. */
export type Reply = { status: number; body: unknown; signed: boolean; type?: string }

export const ok = (body: unknown): Reply => ({ status: 200, body, signed: true })
export const done: Reply = { status: 204, body: undefined, signed: true }
export const plain = (body: unknown): Reply => ({ status: 200, body, signed: false })

type RefusalWords = { code: string; message: string; detail?: Record<string, unknown> }

/** A refusal as the platform words it (protocol §8.1). */
export class Refusal extends Error {
  readonly status: number
  readonly words: RefusalWords

  constructor(status: number, words: RefusalWords) {
    super(words.code)
    this.status = status
    this.words = words
  }
}

const refuseField =
  (location: 'body' | 'query') =>
  (field: string, issue: string): Refusal =>
    new Refusal(400, {
      code: 'PARAM_ERROR',
      message: `参数错误 ${issue}`,
      detail: { field, issue, location },
    })

/** The field of a body, named by its JSON pointer. */
export const badParameter = refuseField('body')

/** The field of a query, named plainly. */
export const badQuery = refuseField('query')

/** Text of three-byte UTF-8, as the platform takes it (protocol §1.1). */
export const threeByteText = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((text) => !/[\ud800-\udfff]/.test(text), 'four-byte characters')

/** A merchant's own number of a product, of orders and refunds alike (protocol §3.1, §6.1). */
export const goodsId = z.string().regex(/^[0-9A-Za-z_-]{1,32}$/)

/** Parses parameters or refuses the first that does not fit, by its JSON pointer. */
export function readOrRefuse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw badParameter(`/${issue?.path.map(String).join('/') ?? ''}`, issue?.message ?? '')
}

/** JSON with its keys in order: equal for equal parameters. */
export const stableText = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    isFields(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  )
