import { PaymentsError } from '../payments-error.ts'

/** One thing the platform can be asked. Adding one is data: it cannot skip signing or verifying. */
export type Endpoint<Content> = {
  /** What it is called where calls are counted. */
  name: string
  method: 'GET' | 'POST'
  /** Path and query, encoded as they go on the wire. */
  path: string
  body?: Readonly<Record<string, unknown>>
  /** Reads the verified content (null when empty); undefined when it is not what was promised. */
  read: (content: unknown) => Content | undefined
  /** All attempts together, in milliseconds; 5,000 when absent. */
  budgetMs?: number
  /** The key that encrypted a field, to be named instead of the preferred one. */
  serial?: string
}

/** For endpoints that answer with nothing. */
export const readsNothing = (content: unknown): null | undefined => (content === null ? null : undefined)

// The platform takes only UTF-8 of one to three bytes per character.
const SUPPLEMENTARY = /[\ud800-\udfff]/

/**
 * Refuses a request body that the platform would refuse: nulls, characters outside three-byte UTF-8, amounts that
 * are not safe integers (protocol §1.1). Throws PaymentsError `invalid_request` naming the field.
 */
export function refuseUnsendable(value: unknown, field = ''): void {
  if (value === null || value === undefined) throw invalid(`${field} is absent`)
  if (typeof value === 'string' && SUPPLEMENTARY.test(value)) {
    throw invalid(`${field} holds characters outside three-byte UTF-8`)
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw invalid(`${field} is not an integer`)
  if (typeof value !== 'object') return
  for (const [name, part] of Object.entries(value)) refuseUnsendable(part, `${field}/${name}`)
}

/** A request that must not be sent; `about` names the field, never its value. */
export const invalid = (about: string): PaymentsError => new PaymentsError('invalid_request', { about })
