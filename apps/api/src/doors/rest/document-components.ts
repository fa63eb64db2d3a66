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

/** As a request refers to it and as an answer does: one form where the two are the same. */
const sameForm = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one).replaceAll(/Input"/g, '"') === JSON.stringify(other)

/** A part of the document with its references renamed, and without what says nothing. */
function tidied(part: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(part)) return part.map((item) => tidied(item, rename))
  if (!isJson(part)) return part
  const { $ref } = part
  const members = Object.entries(part)
    // `date-time` says what an instant looks like: the expression of 200 characters that zod adds stays away.
    .filter(([name]) => !(name === 'pattern' && part['format'] === 'date-time'))
    .map(([name, member]) => [name, tidied(member, rename)])
  return {
    ...Object.fromEntries(members),
    ...(typeof $ref === 'string' &&
      $ref.startsWith(prefix) && { $ref: `${prefix}${rename($ref.slice(prefix.length))}` }),
  }
}

/**
 * The library writes each named schema twice, for requests (`…Input`) and for answers. Kept are those that something
 * refers to, and by one name where both are the same or only one is in use.
 */
export function tidySchemas(document: DocumentShape): DocumentShape {
  const { schemas, responses } = document.components
  const needed = neededBy([document.paths, responses], schemas)
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
  }
}
