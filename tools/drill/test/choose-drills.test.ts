import { describe, expect, it } from 'vitest'
import { allDrills, chooseDrills } from '../choose-drills.ts'

const names = (words: string[]) => chooseDrills(words).map(({ name }) => name)

describe('the choice of drills', () => {
  it('takes all of them without a word', () => {
    expect(chooseDrills([])).toEqual(allDrills)
  })

  it('takes a drill of exactly this name alone, and else all that contain the word', () => {
    expect(names(['switchover'])).toEqual(['switchover'])
    expect(names(['frozen'])).toEqual(['leader-frozen', 'standby-frozen'])
  })

  it('refuses a word that fits no drill, rather than running none', () => {
    expect(() => chooseDrills(['no-such-drill'])).toThrow('no-such-drill')
  })

  it('knows every drill by a name of its own', () => {
    expect(new Set(allDrills.map(({ name }) => name)).size).toBe(allDrills.length)
  })
})
