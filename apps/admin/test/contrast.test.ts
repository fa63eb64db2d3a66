import { describe, expect, test } from 'vitest'
import { type Palette, palettes } from '../src/ui/theme/appearance.ts'
import { tagShades } from '../src/ui/theme/tag-colors.ts'

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast ratio of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

const grounds = ['page', 'surface', 'raised', 'hover'] as const
const inks = ['ink', 'inkSoft', 'inkFaint', 'link', 'badInk', 'okInk', 'backInk'] as const
const pairs: [keyof Palette, keyof Palette][] = [
  ...inks.flatMap((ink) => grounds.map((ground): [keyof Palette, keyof Palette] => [ink, ground])),
  ['accentInk', 'accent'],
  ['accentInk', 'accentHover'],
  ['link', 'accentSoft'],
  ['ink', 'accentSoft'],
  ['inkFaint', 'accentSoft'],
  ['inkFaint', 'quietSoft'],
  ['okInk', 'okSoft'],
  ['waitInk', 'waitSoft'],
  ['quietInk', 'quietSoft'],
  ['infoInk', 'infoSoft'],
  ['backInk', 'backSoft'],
  ['badInk', 'badSoft'],
  ['surface', 'badInk'],
  ['tooltipInk', 'tooltip'],
]

describe.each(['light', 'dark'] as const)('in the %s theme', (scheme) => {
  test.each(pairs)('%s is legible on %s (WCAG AA)', (ink, ground) => {
    expect(contrast(palettes[scheme][ink], palettes[scheme][ground])).toBeGreaterThanOrEqual(4.5)
  })

  test.each(Object.entries(tagShades[scheme]))('a %s tag is legible (WCAG AA)', (_, { ink, soft }) => {
    expect(contrast(ink, soft)).toBeGreaterThanOrEqual(4.5)
    // Archived, it stands on no ground of its own.
    for (const ground of grounds)
      expect(contrast(tagShades[scheme].gray.ink, palettes[scheme][ground])).toBeGreaterThanOrEqual(4.5)
  })
})
