import { z } from 'zod'
import { isFields } from '../read-fields.ts'
import { badParameter } from './reply.ts'

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
