import { createHash } from 'node:crypto'

/** A tag that changes whenever the answer does. */
export const etagOf = (body: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 27)}"`

/** Whether `If-None-Match` names this tag, also weakened by a proxy that compressed the answer (RFC 9110 §13.1.2). */
export const matchesTag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
