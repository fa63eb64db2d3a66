import type { Page } from '@playwright/test'
import { slipFinder } from './find-slips.ts'
import { type Look, wear } from './looks.ts'
import { readTexts } from './read-texts.ts'

/** Shows the console in a language and a theme; collects texts that are no plain words of that language, and errors of pages. */
export async function openReader(operator: Page, look: Look) {
  operator.setDefaultTimeout(30_000)
  await wear(operator, look)
  const slipsIn = await slipFinder(look.language)
  const found = new Set<string>()
  operator.on('pageerror', (error) => found.add(`${operator.url()}: ${error}`))
  const read = async (place: string, within: string) => {
    for (const slip of slipsIn(await readTexts(operator, within))) found.add(`${place}: ${slip}`)
  }
  return { found, read }
}
