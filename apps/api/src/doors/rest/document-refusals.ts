import { type Problem, type ProblemCode, problems } from '@meridian/contracts'
import { z } from 'zod'
import type { Language } from '../problem.ts'
import type { DocumentShape, Json, ResponseShape } from './document-shape.ts'
import { operationsIn } from './document-shape.ts'
import { isRestCode, type RestCode } from './words/remedies.ts'

const Codes = z.object({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }) })

/** The codes that a response of a route carries, as its schema declares them. */
function codesOf({ content = {} }: ResponseShape): RestCode[] {
  const found = Codes.safeParse(Object.values(content)[0]?.schema).data
  return (found?.properties.code.enum ?? []).filter(isRestCode)
}

/** Which operations may answer each code, out of a document as the routes make it. */
export function operationsByCode(document: Pick<DocumentShape, 'paths'>): Map<ProblemCode, string[]> {
  const found = new Map<ProblemCode, string[]>()
  for (const { method, path, operation } of operationsIn(document))
    for (const response of Object.values(operation.responses))
      for (const code of codesOf(response))
        found.set(code, [...(found.get(code) ?? []), `${method.toUpperCase()} ${path}`])
  return found
}

const errorsOf: Told<Problem['errors']> = {
  zh: [{ path: 'body.plan_code', message: '必填' }],
  en: [{ path: 'body.plan_code', message: 'is required' }],
}
type Told<Value> = Record<Language, Value>

/** A problem as it is answered. */
export function exampleProblem(code: RestCode, language: Language): Problem {
  const { http: status, [language]: title } = problems[code]
  return {
    type: `/api/v1/docs/problems#${code}`,
    title,
    status,
    detail: title,
    code,
    request_id: '01K9XW3V6Q2Z8N4T7R5Y1B0CDE',
    ...(code === 'invalid_request' && { errors: errorsOf[language] }),
    ...(code === 'order_already_paid' && { out_trade_no: 'M01K9XW3V6Q2Z8N4T7R5Y1B0CDE' }),
  }
}

const responseOf = (codes: readonly RestCode[], language: Language): ResponseShape => ({
  description: codes.map((code) => `\`${code}\`: ${problems[code][language]}`).join('\n\n'),
  content: {
    'application/problem+json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          { type: 'object', properties: { code: { type: 'string', enum: [...codes] } }, required: ['code'] },
        ],
      },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})

/** Each refusal stands once, named by its codes, and each code has one example: operations refer to them. */
export function tellRefusals(document: DocumentShape, language: Language): void {
  const { responses, examples } = document.components
  for (const { operation } of operationsIn(document))
    for (const [status, response] of Object.entries(operation.responses)) {
      const codes = codesOf(response)
      if (codes.length === 0) continue
      const name = codes.join('.')
      responses[name] = responseOf(codes, language)
      for (const code of codes) examples[code] = { value: exampleProblem(code, language) } satisfies Json
      operation.responses[status] = { $ref: `#/components/responses/${name}` }
    }
}
