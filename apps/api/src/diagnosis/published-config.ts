import { DiagnosisContent, type TreatmentProgram } from '@meridian/contracts'
import { column, execute, json, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { mayUseSql } from '../subscriptions/show-subscription.ts'

const publishedColumns = {
  version: column.integer,
  publishedAt: column.instant,
  content: json(z.unknown()),
  entitled: column.boolean,
}

/** A premium program without what it does to a body. */
function withhold({ code, name, body_part, contraindications, premium }: TreatmentProgram) {
  return { code, name, body_part, contraindications, premium, locked: true }
}

/** The published configuration as this user may see it. */
export async function showConfig(pool: Pool, userId: string) {
  const [row] = await execute(
    pool,
    query(
      'show-diagnosis-config',
      Prisma.sql`
      SELECT version, published_at AS "publishedAt", content, ${mayUseSql(userId, 'manual_treatment')} AS entitled
      FROM diagnosis_versions WHERE state = 'published' ORDER BY version DESC LIMIT 1`,
      publishedColumns,
    ),
  )
  if (!row) throw new Error('no diagnosis configuration is published')
  const { version, publishedAt, entitled } = row
  const { body_parts, programs } = DiagnosisContent.parse(row.content)
  return {
    version,
    publishedAt,
    bodyParts: body_parts,
    programs: programs.map((program) =>
      program.premium && !entitled ? withhold(program) : { ...program, locked: false },
    ),
  }
}

/** An SQL expression: whether the published configuration calls this program premium. */
export const isPremiumSql = (programCode: string): Prisma.Sql => Prisma.sql`coalesce((
  SELECT content @> jsonb_build_object('programs', jsonb_build_array(
    jsonb_build_object('code', ${programCode}::text, 'premium', true)))
  FROM diagnosis_versions WHERE state = 'published' ORDER BY version DESC LIMIT 1), false)`
