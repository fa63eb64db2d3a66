import { column, execute, json, nullable, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Allowance } from '../platform/limits/allowance.ts'
import { boundedStream } from '../platform/streams/bounded-stream.ts'
import { claimExport } from '../users/claim-export.ts'
import { nextRowsSql, type Section, sections } from './export-sections.ts'

const { sql } = Prisma

const headColumns = {
  exported_at: column.instant,
  id: column.text,
  openid: column.text,
  nickname: nullable(column.text),
  avatar_url: nullable(column.text),
  created_at: column.instant,
  expires_at: nullable(column.instant),
  feature_expires_at: json(z.record(z.string(), z.string())),
}

async function readHead(pool: Pool, userId: string): Promise<string> {
  const [head] = await execute(
    pool,
    query(
      'read-export-head',
      sql`SELECT business_now() AS exported_at, u.id, u.openid, u.nickname, u.avatar_url, u.created_at, s.expires_at,
        coalesce(s.feature_expires_at, '{}') AS feature_expires_at
      FROM users u LEFT JOIN subscriptions s ON s.user_id = u.id WHERE u.id = ${userId}::uuid AND u.erased_at IS NULL`,
      headColumns,
    ),
  )
  if (!head) throw new DomainError('unauthenticated')
  const { exported_at, expires_at, feature_expires_at, ...profile } = head
  return `{"exported_at":${JSON.stringify(exported_at)},"profile":${JSON.stringify(profile)},"subscription":${JSON.stringify({ expires_at, feature_expires_at })}`
}

type Reading = { pool: Pool; bigReads: Allowance; userId: string }

async function* readSection({ pool, bigReads, userId }: Reading, section: Section): AsyncGenerator<string> {
  yield `,"${section}":[`
  for (let after = '', first = true; ; ) {
    const read = () => execute(pool, query(`export-${section}`, nextRowsSql(section, userId, after)))
    const rows = await bigReads.run(read)
    for (const { key, ...item } of rows) {
      yield `${first ? '' : ','}${JSON.stringify(item)}`
      first = false
      after = String(key)
    }
    if (rows.length < sections[section].atOnce) break
  }
  yield ']'
}

const isSection = (name: string): name is Section => name in sections

async function* readAccount(reading: Reading, head: string): AsyncGenerator<string> {
  yield head
  for (const section of Object.keys(sections).filter(isSection)) yield* readSection(reading, section)
  yield '}'
}

/**
 * Everything that is kept about a person as one JSON document, in pieces: a few rows are in memory at a time. Once an
 * hour.
 * @throws DomainError rate_limited, before the first piece
 */
export async function exportAccount(reading: Reading): Promise<AsyncGenerator<string>> {
  const { pool, userId } = reading
  await claimExport(pool, userId)
  return boundedStream(readAccount(reading, await readHead(pool, userId)))
}
