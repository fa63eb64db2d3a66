import type { Page } from '@playwright/test'
import { consolePages, type Shown } from './console-pages.ts'

const face = (path: string): Shown => ({ name: path, path })

async function giveFaultyFile(page: Page): Promise<void> {
  await page.locator('main input[type="file"]').setInputFiles({
    name: 'faulty.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('serial_number,model\nX,M1\n'),
  })
  await page.locator('main').getByRole('table').waitFor()
}

/** Other faces of pages: what their tabs show, what stands there when it is empty, and what is wrong with a file. */
const faces: readonly Shown[] = [
  face('/alerts?view=alerts'),
  face('/alerts?view=left'),
  face('/alerts?view=resolved'),
  face('/notifications?view=rejected'),
  face('/reconciliation?view=differences'),
  face('/diagnosis?view=json'),
  face('/shipping?state=failed'),
  { ...face('/devices/import'), name: 'a faulty import of devices', open: giveFaultyFile },
]

/** Every page and face of the console: what is shown at one address, or leads on from there, one after the other. */
const everyFace = [...consolePages, ...faces].toSorted(
  (one, other) =>
    one.path.localeCompare(other.path) || Number(one.open !== undefined) - Number(other.open !== undefined),
)

const half = Math.ceil(everyFace.length / 2)

/** In two parts, so that two can look at them at the same time. */
export const everyFaceInParts = { first: everyFace.slice(0, half), second: everyFace.slice(half) }
