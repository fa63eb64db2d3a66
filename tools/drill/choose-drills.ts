import type { Drill } from './drill.ts'
import { failOverDrills } from './fail-over-drills.ts'
import { gatewayDrills } from './gateway-drills.ts'
import { lossDrills } from './loss-drills.ts'
import { releaseDrills } from './release-drills.ts'

export const allDrills: readonly Drill[] = [
  ...failOverDrills,
  ...gatewayDrills,
  ...releaseDrills,
  ...lossDrills,
]

/**
 * The drills whose names are, or else contain, one of these words; without words all of them.
 * @throws Error when a word fits none
 */
export function chooseDrills(words: readonly string[]): Drill[] {
  const named = (word: string) => {
    const exact = allDrills.filter(({ name }) => name === word)
    return exact.length > 0 ? exact : allDrills.filter(({ name }) => name.includes(word))
  }
  const strange = words.filter((word) => named(word).length === 0)
  if (strange.length > 0) throw new Error(`There is no drill "${strange.join(', ')}": see --list`)
  const chosen = new Set(words.flatMap(named))
  return allDrills.filter((drill) => words.length === 0 || chosen.has(drill))
}
