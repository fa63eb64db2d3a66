import { z } from 'zod'
import { resolveReferences } from './resolve-references.ts'

/** A JSON schema as the document holds it: what our tests look at, and whatever else there is. */
export type Schema = {
  type?: string | string[] | undefined
  enum?: unknown[] | undefined
  const?: unknown
  format?: string | undefined
  pattern?: string | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  minItems?: number | undefined
  maxItems?: number | undefined
  items?: Schema | undefined
  anyOf?: Schema[] | undefined
  oneOf?: Schema[] | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
  additionalProperties?: unknown
}

/** A schema as its alternatives, each of one type. */
export const alternativesOf = (schema: Schema): (Schema & { type?: string | undefined })[] =>
  (schema.anyOf ?? schema.oneOf ?? [schema]).flatMap((one) =>
    [one.type].flat().map((type) => ({ ...one, type })),
  )

const Bound = z.number().optional()

export const Schema: z.ZodType<Schema> = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: Bound,
  maxLength: Bound,
  minimum: Bound,
  maximum: Bound,
  minItems: Bound,
  maxItems: Bound,
  get items() {
    return Schema.optional()
  },
  get anyOf() {
    return z.array(Schema).optional()
  },
  get oneOf() {
    return z.array(Schema).optional()
  },
  get properties() {
    return z.record(z.string(), Schema).optional()
  },
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
})

const Content = z.record(z.string(), z.looseObject({ schema: Schema }))

const Parameter = z.object({
  in: z.enum(['path', 'query', 'header']),
  name: z.string(),
  required: z.boolean().default(false),
  example: z.unknown().optional(),
  schema: Schema,
})
export type Parameter = z.infer<typeof Parameter>

const Described = z.looseObject({
  tags: z.array(z.string()).default([]),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.looseObject({ required: z.boolean().default(false), content: Content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: Content.optional() })),
})

const Paths = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), Described)),
})

/** A document as it reads with every reference in its place. */
export const OpenApiDocument = z.preprocess(resolveReferences, Paths)
export type OpenApiDocument = z.infer<typeof OpenApiDocument>

export type Operation = z.infer<typeof Described> & {
  /** As the contract names it: `GET /subscription/orders/{out_trade_no}`. */
  name: string
  method: string
  /** With the prefix, parameters in braces. */
  path: string
  /** What lets a caller in: a user's token, the key of another system, or nothing. */
  opensBy: Opener
  signedIn: boolean
}

const Opener = z.enum(['nothing', 'user', 'api_key', 'platform'])
export type Opener = z.infer<typeof Opener>

const openerOf = ([first = {}]: readonly Record<string, unknown>[]): Opener =>
  Opener.parse(Object.keys(first)[0] ?? 'nothing')

/** The operations of a person with a phone: neither the platform's endpoint nor the document itself. */
export const operationsOf = (document: OpenApiDocument): Operation[] =>
  everyOperationOf(document).filter(
    ({ tags }) => !tags.some((tag) => tag === 'platform' || tag === 'document'),
  )

/** Every operation of a document. */
export const everyOperationOf = ({ paths }: OpenApiDocument): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      name: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      method: method.toUpperCase(),
      path,
      opensBy: openerOf(described.security ?? []),
      signedIn: openerOf(described.security ?? []) === 'user',
    })),
  )

/** The schema of a JSON content, whatever its exact type. */
export const schemaIn = (content: z.infer<typeof Content> | undefined): Schema | undefined =>
  Object.entries(content ?? {}).find(([type]) => type.endsWith('json'))?.[1].schema

/** Which problem codes an operation declares, with their status. */
export function declaredCodes({ responses }: Operation): { status: number; code: string }[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const codes = schemaIn(content)?.properties?.['code']?.enum ?? []
    return Number(status) < 400 ? [] : codes.map((code) => ({ status: Number(status), code: String(code) }))
  })
}
