import { navigation } from '../shell/navigation.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyz'

/** The letter that goes to each page after `g`: the first of its name, else of the alphabet, that no page above it has taken. */
export function jumps(): { letter: string; key: (typeof navigation)[number]['key']; href: string }[] {
  const taken = new Set(['g'])
  return navigation.flatMap(({ key, href }) => {
    const letter = [...key.toLowerCase(), ...alphabet].find((candidate) => !taken.has(candidate))
    if (letter === undefined) return []
    taken.add(letter)
    return [{ letter, key, href }]
  })
}
