import type { Language } from '../../problem.ts'

/** One text in each language of the document. */
export type Told = Record<Language, string>

/** What the document says of an operation beside what its schemas say. Paths as the contract writes them. */
export type OperationWords = {
  /** What generated clients call it. Never changes: it is a name in other people's programs. */
  operationId: string
  /** A few words, for lists. */
  summary: Told
  /** What it does, when it is called, what to watch for; Markdown. */
  description: Told
  /** What each success means. */
  answers: Readonly<Record<number, Told>>
  /** The query parameters that its code samples give, of those that it takes. */
  asks?: readonly string[]
  /** A body that is accepted. */
  request?: unknown
  /** A body that is no JSON and is read as it comes. */
  stream?: { type: string; example: string }
  /** A body of success: by status where they differ. */
  answer?: unknown
}

/** A group of operations. */
export type TagWords = {
  title: Told
  description: Told
  /** By method and path, `GET /subscription/orders/{out_trade_no}`. */
  operations: Readonly<Record<string, OperationWords>>
}
