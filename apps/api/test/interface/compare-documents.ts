import {
  alternativesOf,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Schema,
  schemaIn,
} from './read-document.ts'

type Direction = 'request' | 'answer'
type Break = string

const valuesOf = (schema: Schema): unknown[] | null =>
  schema.enum ?? (schema.const === undefined ? null : [schema.const])

const missing = <Item>(before: readonly Item[], after: readonly Item[]): Item[] =>
  before.filter((item) => !after.includes(item))

/** Which values an enumeration lost: a client may send them, or wait for them. */
function valueBreaks(before: Schema, after: Schema, direction: Direction): Break[] {
  const [once, now] = [valuesOf(before), valuesOf(after)]
  if (once && now) return missing(once, now).map((value) => `${String(value)} is gone`)
  if (once) return direction === 'answer' ? ['may be any value now'] : []
  return now && direction === 'request' ? ['accepts a few values only now'] : []
}

const tighter = {
  minLength: (before: number, after: number) => after > before,
  minimum: (before: number, after: number) => after > before,
  minItems: (before: number, after: number) => after > before,
  maxLength: (before: number, after: number) => after < before,
  maximum: (before: number, after: number) => after < before,
  maxItems: (before: number, after: number) => after < before,
} as const
const bounds = ['minLength', 'minimum', 'minItems', 'maxLength', 'maximum', 'maxItems'] as const

function boundBreaks(before: Schema, after: Schema): Break[] {
  return bounds.flatMap((bound) => {
    const [once, now] = [before[bound], after[bound]]
    if (now === undefined) return []
    const unbounded = bound.startsWith('min') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    return tighter[bound](once ?? unbounded, now) ? [`${bound} became tighter`] : []
  })
}

function memberBreaks(before: Schema, after: Schema, direction: Direction): Break[] {
  const [once, now] = [before.properties ?? {}, after.properties ?? {}]
  const gone = missing(Object.keys(once), Object.keys(now)).map((name) => `${name} is gone`)
  const [required, requiredNow] = [before.required ?? [], after.required ?? []]
  const promised =
    direction === 'request'
      ? missing(requiredNow, required).map((name) => `${name} is required now`)
      : missing(required, requiredNow)
          .filter((name) => name in now)
          .map((name) => `${name} may be missing now`)
  const deeper = Object.entries(once).flatMap(([name, schema]) => {
    const later = now[name]
    return later ? schemaBreaks(schema, later, direction).map((found) => `${name}: ${found}`) : []
  })
  return [...gone, ...promised, ...deeper]
}

/** What a schema of later does not accept (of a request) or not promise (of an answer) any more. */
export function schemaBreaks(before: Schema, after: Schema, direction: Direction): Break[] {
  const [kinds, kindsNow] = [alternativesOf(before), alternativesOf(after)]
  const types = kinds.map(({ type }) => type)
  const typesNow = kindsNow.map(({ type }) => type)
  const changed = direction === 'request' ? missing(types, typesNow) : missing(typesNow, types)
  const ofType = changed.map((type) =>
    direction === 'request' ? `no longer accepts ${type}` : `may be ${type} now`,
  )
  const deeper = kinds.flatMap((kind) => {
    const later = kindsNow.find(({ type }) => type === kind.type)
    if (!later) return []
    return [
      ...valueBreaks(kind, later, direction),
      ...(direction === 'request' ? boundBreaks(kind, later) : []),
      ...(direction === 'request' && later.pattern !== undefined && later.pattern !== kind.pattern
        ? ['another pattern']
        : []),
      ...memberBreaks(kind, later, direction),
      ...(kind.items && later.items
        ? schemaBreaks(kind.items, later.items, direction).map((found) => `items: ${found}`)
        : []),
    ]
  })
  return [...ofType, ...deeper]
}

function parameterBreaks(before: Operation, after: Operation): Break[] {
  const same = (one: Operation['parameters'][number]) => (other: Operation['parameters'][number]) =>
    one.in === other.in && one.name === other.name
  const lost = before.parameters.flatMap((parameter) => {
    const later = after.parameters.find(same(parameter))
    if (!later) return [`${parameter.in} ${parameter.name} is gone`]
    const required = later.required && !parameter.required ? ['is required now'] : []
    return [...required, ...schemaBreaks(parameter.schema, later.schema, 'request')].map(
      (found) => `${parameter.in} ${parameter.name}: ${found}`,
    )
  })
  const demanded = after.parameters.filter(
    (parameter) => parameter.required && !before.parameters.some(same(parameter)),
  )
  return [...lost, ...demanded.map(({ in: place, name }) => `${place} ${name} is required now`)]
}

function bodyBreaks(before: Operation, after: Operation): Break[] {
  const [once, now] = [schemaIn(before.requestBody?.content), schemaIn(after.requestBody?.content)]
  const required =
    after.requestBody?.required && !before.requestBody?.required ? ['a body is required now'] : []
  if (!once || !now) return required
  return [...required, ...schemaBreaks(once, now, 'request').map((found) => `body: ${found}`)]
}

function answerBreaks(before: Operation, after: Operation): Break[] {
  return Object.entries(before.responses).flatMap(([status, response]) => {
    const later = after.responses[status]
    if (!later) return [`${status} is gone`]
    const [once, now] = [schemaIn(response.content), schemaIn(later.content)]
    if (!once) return []
    if (!now) return [`${status} has no body any more`]
    return schemaBreaks(once, now, 'answer').map((found) => `${status}: ${found}`)
  })
}

/** What a client written against the document of before would miss in the later one; nothing when it only grew. */
export function breaksBetween(before: OpenApiDocument, after: OpenApiDocument): Break[] {
  const operations = operationsOf(after)
  return operationsOf(before).flatMap((operation) => {
    const later = operations.find(({ name }) => name === operation.name)
    if (!later) return [`${operation.name} is gone`]
    const asked = operation.opensBy === 'nothing' ? 'a token' : 'another token'
    const guarded = later.opensBy === operation.opensBy ? [] : [`asks for ${asked} now`]
    return [
      ...guarded,
      ...parameterBreaks(operation, later),
      ...bodyBreaks(operation, later),
      ...answerBreaks(operation, later),
    ].map((found) => `${operation.name}: ${found}`)
  })
}
