import { Prisma } from '@meridian/db'
import type { SealedColumn } from '../platform/crypto/sealed-column.ts'
import { aboutSecret } from './prove-possession.ts'

/** The secrets of devices. */
export const sealedSecrets: SealedColumn = {
  what: 'device secrets',
  sourceSql: Prisma.sql`SELECT serial_number AS id, sealed_secret AS sealed FROM devices WHERE sealed_secret IS NOT NULL`,
  about: aboutSecret,
  replaceSql: ({ id, before, after }) => Prisma.sql`
    UPDATE devices SET sealed_secret = ${after} WHERE serial_number = ${id} AND sealed_secret = ${before}`,
}
