import { DiagnosisContent, type TreatmentProgram } from '@meridian/contracts'
import { type Pool, Prisma, run } from '@meridian/db'
import { mayUseSql } from '../subscriptions/may-use.ts'

type Published = { version: number; publishedAt: Date; content: unknown; entitled: boolean }

/** A premium program without what it does to a body. */
function withhold({ code, name, body_part, contraindications, premium }: TreatmentProgram) {
  return { code, name, body_part, contraindications, premium, locked: true }
}

/** The published configuration as this user may see it. */
export async function showConfig(pool: Pool, userId: string) {
  const [row] = await run<Published>(
    pool,
    'show-diagnosis-config',
    Prisma.sql`
      SELECT version, published_at AS "publishedAt", content, ${mayUseSql(userId, 'manual_treatment')} AS entitled
      FROM diagnosis_versions WHERE state = 'published' ORDER BY version DESC LIMIT 1`,
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
