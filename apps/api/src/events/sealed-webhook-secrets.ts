import { Prisma } from '@meridian/db'
import type { SealedColumn } from '../platform/crypto/data-keys.ts'

const { sql } = Prisma

/** The name that both secrets of an endpoint are sealed with. */
export const aboutSecret = (endpointId: string): string => `webhook:${endpointId}`

/** The secrets that sign. */
export const sealedWebhookSecrets: SealedColumn = {
  what: 'webhook secrets',
  sourceSql: sql`SELECT id::text AS id, sealed_secret AS sealed FROM webhook_endpoints`,
  about: aboutSecret,
  replaceSql: ({ id, before, after }) => sql`
    UPDATE webhook_endpoints SET sealed_secret = ${after} WHERE id = ${id}::uuid AND sealed_secret = ${before}`,
}

/** Those that sign too after a rotation. */
export const sealedPreviousSecrets: SealedColumn = {
  what: 'webhook secrets before a rotation',
  sourceSql: sql`SELECT id::text AS id, sealed_previous_secret AS sealed FROM webhook_endpoints
    WHERE sealed_previous_secret IS NOT NULL`,
  about: aboutSecret,
  replaceSql: ({ id, before, after }) => sql`
    UPDATE webhook_endpoints SET sealed_previous_secret = ${after}
    WHERE id = ${id}::uuid AND sealed_previous_secret = ${before}`,
}
