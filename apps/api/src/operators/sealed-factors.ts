import { Prisma } from '@meridian/db'
import type { SealedColumn } from '../platform/crypto/sealed-column.ts'
import { totpLabel } from './spend-code.ts'

/** The secrets of authenticators. */
export const sealedFactors: SealedColumn = {
  what: 'authenticators',
  sourceSql: Prisma.sql`SELECT id::text AS id, sealed_totp AS sealed FROM operators WHERE sealed_totp IS NOT NULL`,
  about: totpLabel,
  replaceSql: ({ id, before, after }) => Prisma.sql`
    UPDATE operators SET sealed_totp = ${after} WHERE id = ${id}::uuid AND sealed_totp = ${before}`,
}
