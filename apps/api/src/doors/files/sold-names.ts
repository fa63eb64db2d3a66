import type { Pool } from '@meridian/db'
import { readSoldNames } from '../../plans/read-sold-names.ts'
import type { Language } from '../problem.ts'
import type { SoldName } from './sheet.ts'

/** What sold plans are called in a language, read once for a file: an order keeps the Chinese name it was sold under. */
export const soldNamesIn = async (pool: Pool, language: Language): Promise<SoldName> =>
  language === 'en' ? readSoldNames(pool) : (soldAs) => soldAs
