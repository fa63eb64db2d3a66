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
