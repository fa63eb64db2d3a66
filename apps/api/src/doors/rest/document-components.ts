import { z } from 'zod'
import { type DocumentShape, isJson, type Json } from './document-shape.ts'

const prefix = '#/components/schemas/'

/** The names of schemas that a part of the document refers to. */
function namesIn(part: unknown): string[] {
  return [...JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].flatMap(
    ([, name]) => (name ? [name] : []),
  )
}

/** What a part needs of the schemas, directly or by one another. */
function neededBy(root: unknown, schemas: Json): Set<string> {
  const needed = new Set<string>()
  const waiting = namesIn(root)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (needed.has(name)) continue
    needed.add(name)
    waiting.push(...namesIn(schemas[name] ?? {}))
  }
  return needed
}

/** Paths stay paths whatever a schema in them is called. */
const Paths = z.custom<DocumentShape['paths']>(isJson)
const Webhooks = z.custom<DocumentShape['webhooks']>(isJson)

/** As a request refers to it and as an answer does: one form where the two are the same. */
const sameForm = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one).replaceAll(/Input"/g, '"') === JSON.stringify(other)

/**
 * `date-time` and `uuid` say what a text looks like: the expression of 200 characters that zod adds stays away. So do the
 * bounds of what JavaScript can count.
 */
const saysNothing = (name: string, member: unknown, format: unknown): boolean =>
  (name === 'pattern' && (format === 'date-time' || format === 'uuid')) ||
  ((name === 'minimum' || name === 'maximum') && Math.abs(Number(member)) === Number.MAX_SAFE_INTEGER)

const isNull = (part: unknown) => isJson(part) && part['type'] === 'null'

/** An instant or `null` is one type with two names: the form binds texts alone. Answers null for anything else. */
function asOneType({ anyOf, ...rest }: Json): Json | null {
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isNull(anyOf[1])) return null
  const [part]: unknown[] = anyOf
  if (!isJson(part) || part['format'] !== 'date-time') return null
  return { ...rest, ...part, type: ['string', 'null'] }
}

/** A part of the document with its references renamed, and without what says nothing. */
function tidied(part: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(part)) return part.map((item) => tidied(item, rename))
  if (!isJson(part)) return part
  const { $ref, ...said } = asOneType(part) ?? part
  const members = Object.entries(said)
    .filter(([name, member]) => !saysNothing(name, member, said['format']))
    .map(([name, member]) => [name, tidied(member, rename)])
  return {
    ...Object.fromEntries(members),
    ...(typeof $ref === 'string' && {
      $ref: $ref.startsWith(prefix) ? `${prefix}${rename($ref.slice(prefix.length))}` : $ref,
    }),
  }
}

/**
 * The library writes each named schema twice, for requests (`…Input`) and for answers. Kept are those that something
 * refers to, and by one name where both are the same or only one is in use.
 */
export function tidySchemas(document: DocumentShape): DocumentShape {
  const { schemas, responses } = document.components
  const needed = neededBy([document.paths, document.webhooks, responses], schemas)
  const plain = (name: string) => name.replace(/Input$/, '')
  const joins = (name: string) =>
    name.endsWith('Input') && (!needed.has(plain(name)) || sameForm(schemas[name], schemas[plain(name)]))
  const rename = (name: string) => (joins(name) ? plain(name) : name)
  const kept = [...needed].map((name): [string, unknown] => [rename(name), tidied(schemas[name], rename)])
  const sorted = Object.fromEntries(kept.sort(([one], [other]) => one.localeCompare(other)))
  return {
    ...document,
    components: { ...document.components, schemas: sorted },
    paths: Paths.parse(tidied(document.paths, rename)),
    webhooks: Webhooks.parse(tidied(document.webhooks, rename)),
  }
}
