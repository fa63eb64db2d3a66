import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that mostly wait for programs and timers, the longest first: begun last, they would run on alone. */
const longest = [
  'monitoring/programs',
  'model/money-core',
  'journeys/every-alert',
  'journeys/alert-delivery',
  'journeys/keys',
  'journeys/append-only',
  'journeys/jobs',
  'journeys/races',
  'journeys/healed-alerts',
  'model/long-life',
  'doors/commands',
  'journeys/data-keys',
].map((name) => join(import.meta.dirname, '..', `${name}.test.ts`))

const rankOf = ({ moduleId }: TestSpecification) => {
  const rank = longest.indexOf(moduleId)
  return rank === -1 ? longest.length : rank
}

/** @throws Error where a file of the list is not there */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = longest.filter((file) => !existsSync(file))
    if (gone.length > 0) throw new Error(`no such tests: ${gone.join(', ')}`)
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
