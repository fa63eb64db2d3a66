import type { AccountExport } from '@meridian/contracts'
import { type Pool, Prisma, run } from '@meridian/db'
import { DomainError } from '../domain-error.ts'
import { claimExport } from '../users/claim-export.ts'
import { nextRows, type Section, sections } from './export-sections.ts'

const { sql } = Prisma

type Head = AccountExport['profile'] & AccountExport['subscription']

async function readHead(pool: Pool, userId: string): Promise<string> {
  const [head] = await run<Head>(
    pool,
    'read-export-head',
    sql`SELECT u.id, u.openid, u.nickname, u.avatar_url, u.created_at, s.expires_at,
        coalesce(s.feature_expires_at, '{}') AS feature_expires_at
      FROM users u LEFT JOIN subscriptions s ON s.user_id = u.id WHERE u.id = ${userId}::uuid AND u.erased_at IS NULL`,
  )
  if (!head) throw new DomainError('unauthenticated')
  const { expires_at, feature_expires_at, ...profile } = head
  return `{"exported_at":${JSON.stringify(new Date())},"profile":${JSON.stringify(profile)},"subscription":${JSON.stringify({ expires_at, feature_expires_at })}`
}

async function* readSection(pool: Pool, userId: string, section: Section): AsyncGenerator<string> {
  yield `,"${section}":[`
  for (let after = '', first = true; ; ) {
    const rows = await run<{ key: string }>(pool, `export-${section}`, nextRows(section, userId, after))
    for (const { key, ...item } of rows) {
      yield `${first ? '' : ','}${JSON.stringify(item)}`
      first = false
      after = key
    }
    if (rows.length < sections[section].atOnce) break
  }
  yield ']'
}

const isSection = (name: string): name is Section => name in sections

async function* readAccount(pool: Pool, userId: string, head: string): AsyncGenerator<string> {
  yield head
  for (const section of Object.keys(sections).filter(isSection)) yield* readSection(pool, userId, section)
  yield '}'
}

/**
 * Everything that is kept about a person as one JSON document, in pieces: a few rows are in memory at a time. Once an
 * hour.
 * @throws DomainError rate_limited, before the first piece
 */
export async function exportAccount(pool: Pool, userId: string): Promise<AsyncGenerator<string>> {
  await claimExport(pool, userId)
  return readAccount(pool, userId, await readHead(pool, userId))
}
