import { column, execute, json, type Pool, Prisma, query } from '@meridian/db'
import type { HeaderBag } from '@meridian/payments'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'

const Headers = z.record(z.string(), z.union([z.string(), z.array(z.string())])).catch({})

const storedColumns = {
  serial: column.text,
  headers: json(z.unknown()),
  body: column.bytes,
  receivedAt: column.instant,
}

/** A notification as it was kept: the bytes of its first delivery. */
export type StoredNotification = { serial: string; headers: HeaderBag; body: Buffer; receivedAt: Date }

/**
 * What the inbox holds under an id of the platform.
 * @throws DomainError not_found
 */
export async function getStoredNotification(pool: Pool, id: string): Promise<StoredNotification> {
  const [row] = await execute(
    pool,
    query(
      'get-stored-notification',
      Prisma.sql`SELECT serial, headers, body, first_at AS "receivedAt" FROM notifications WHERE id = ${id}`,
      storedColumns,
    ),
  )
  if (!row) throw new DomainError('not_found')
  return { ...row, headers: Headers.parse(row.headers) }
}
