import { Prisma } from '@meridian/db'

/** An SQL expression: whether the published configuration calls this program premium. */
export const isPremiumSql = (programCode: string): Prisma.Sql => Prisma.sql`coalesce((
  SELECT content @> jsonb_build_object('programs', jsonb_build_array(
    jsonb_build_object('code', ${programCode}::text, 'premium', true)))
  FROM diagnosis_versions WHERE state = 'published' ORDER BY version DESC LIMIT 1), false)`
