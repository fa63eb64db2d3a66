import { z } from 'zod'
import type { DiagnosisDraftContent } from './diagnosis.ts'

export const DiagnosisChange = z.object({
  what: z.enum(['body_part', 'program']),
  code: z.string(),
  kind: z.enum(['added', 'removed', 'changed', 'moved']),
  fields: z.array(z.object({ name: z.string(), before: z.string(), after: z.string() })),
})
export type DiagnosisChange = z.infer<typeof DiagnosisChange>

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

function fieldsOf(before: object, after: object): DiagnosisChange['fields'] {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name) => ({ name, before: shown(was.get(name)), after: shown(is.get(name)) }))
    .filter((field) => field.before !== field.after)
}

type What = DiagnosisChange['what']

function changesOf<Item extends { code: string }>(
  what: What,
  before: readonly Item[],
  after: readonly Item[],
): DiagnosisChange[] {
  const [was, is] = [
    new Map(before.map((one) => [one.code, one])),
    new Map(after.map((one) => [one.code, one])),
  ]
  const order = (items: readonly Item[], others: ReadonlyMap<string, Item>) =>
    items.map(({ code }) => code).filter((code) => others.has(code))
  const [oldOrder, newOrder] = [order(before, is), order(after, was)]
  return [
    ...before
      .filter(({ code }) => !is.has(code))
      .map(({ code }) => ({ what, code, kind: 'removed' as const, fields: [] })),
    ...after.flatMap((item): DiagnosisChange[] => {
      const { code } = item
      const previous = was.get(code)
      if (!previous) return [{ what, code, kind: 'added', fields: fieldsOf({}, item) }]
      const fields = fieldsOf(previous, item)
      if (fields.length > 0) return [{ what, code, kind: 'changed', fields }]
      return oldOrder.indexOf(code) === newOrder.indexOf(code)
        ? []
        : [{ what, code, kind: 'moved', fields: [] }]
    }),
  ]
}

/** What a draft would change, one entry per body part or program. */
export const diffDiagnosis = (
  before: DiagnosisDraftContent,
  after: DiagnosisDraftContent,
): DiagnosisChange[] => [
  ...changesOf('body_part', before.body_parts, after.body_parts),
  ...changesOf('program', before.programs, after.programs),
]
