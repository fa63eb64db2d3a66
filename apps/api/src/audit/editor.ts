import type { RequestMeta } from './write-audit.ts'

/** Who changes something, and from where. */
export type Editor = { operatorId: string; from: RequestMeta }
