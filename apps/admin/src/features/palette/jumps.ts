import type { OperatorRole } from '@meridian/contracts'
import { mayOpen, navigation } from '../shell/navigation.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyz'

/** The letter that goes to each page after `g`: the first of its name, else of the alphabet, that no page above it has taken; none to a page that is closed to the role. */
export function jumps(
  role: OperatorRole,
): { letter: string; key: (typeof navigation)[number]['key']; href: string }[] {
  const taken = new Set(['g'])
  return navigation.flatMap((entry) => {
    const { key, href } = entry
    const letter = [...key.toLowerCase(), ...alphabet].find((candidate) => !taken.has(candidate))
    if (letter === undefined) return []
    taken.add(letter)
    return mayOpen(entry, role) ? [{ letter, key, href }] : []
  })
}
