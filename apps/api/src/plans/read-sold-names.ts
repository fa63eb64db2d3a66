import { englishOf } from '@meridian/contracts'
import { column, execute, nullable, type Pool, Prisma, query } from '@meridian/db'

/** What sold plans are called in English: by the names they were sold under, where that is all that is known. */
export async function readSoldNames(pool: Pool): Promise<(soldAs: string) => string> {
  const plans = await execute(
    pool,
    query(
      'read-sold-names',
      Prisma.sql`SELECT name, name_en AS "nameEn" FROM plans ORDER BY sort_order, code`,
      { name: column.text, nameEn: nullable(column.text) },
    ),
  )
  return (soldAs) => englishOf(soldAs, plans) ?? soldAs
}
