import { z } from 'zod'

const Members = z.record(z.string(), z.unknown())
const Parts = z.array(
  z.looseObject({ properties: Members.optional(), required: z.array(z.string()).optional() }),
)

/** Several schemas that hold at once, as one: a later one narrows members of an earlier one. */
function merged(list: unknown): object {
  const parts = Parts.parse(list)
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})),
    required: [...new Set(parts.flatMap(({ required = [] }) => required))],
  }
}

/** What a reference within a document leads to. */
function targetOf(document: unknown, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((part, step) => {
      const found = Members.parse(part)[step]
      if (found === undefined) throw new Error(`${reference} leads nowhere`)
      return found
    }, document)
}

/** The document with what each reference leads to in its place, as whoever reads one operation sees it. */
export function resolveReferences(document: unknown): unknown {
  const resolve = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolve)
    if (typeof part !== 'object' || part === null) return part
    const { $ref, ...beside } = Members.parse(part)
    if (typeof $ref === 'string') return Object.assign({}, resolve(targetOf(document, $ref)), resolve(beside))
    const { allOf, ...rest } = Members.parse(
      Object.fromEntries(Object.entries(beside).map(([name, member]) => [name, resolve(member)])),
    )
    return allOf === undefined ? rest : { ...merged(allOf), ...rest }
  }
  return resolve(document)
}
