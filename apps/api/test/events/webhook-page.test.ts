import { EventBody, eventData, eventTypes, MOST_WEBHOOK_ATTEMPTS } from '@meridian/contracts'
import { describe, expect, test } from 'vitest'
import { secondsToNextTry } from '../../src/events/retry-schedule.ts'
import { readPage } from '../interface/read-page.ts'

const seconds = { s: 1, min: 60, h: 3600 } as const
const isUnit = (unit: string): unit is keyof typeof seconds => Object.hasOwn(seconds, unit)

/** The cells of the tables of a text, row by row, without their heads. */
const rowsOf = (prose: string): string[][] =>
  prose
    .split('\n')
    .filter((line) => /^\|(?! -|---)/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

describe.each(['docs/webhooks.md', 'docs/webhooks.zh-CN.md'])('%s', (file) => {
  const { sections } = readPage(file)
  const rows = sections.flatMap(({ prose }) => rowsOf(prose))

  test('names every type of event once, with the members of its data', () => {
    const told = rows.filter(([type = '']) => /^`\w+\.\w+`$/.test(type))
    expect(told.map(([type = '']) => type.slice(1, -1))).toEqual([...eventTypes])
    for (const [type = '', , , members = ''] of told) {
      const name = eventTypes.find((one) => `\`${one}\`` === type)
      const shape = Object.keys(name ? eventData[name].shape : {}).filter((member) => member !== 'seq')
      expect([...members.matchAll(/`(\w+)`/g)].map(([, member]) => member)).toEqual(
        expect.arrayContaining(shape),
      )
    }
  })

  test('shows a body of the shape that is sent', () => {
    const [example] = sections.flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'json'))
    const { type, data } = EventBody.parse(JSON.parse(example?.lines.join('\n') ?? ''))
    expect(eventData[type].strict().parse(data)).toEqual(data)
  })

  test('tells how long after each failed attempt the next one is made', () => {
    const gaps = rows
      .flatMap(([one = '', after = '', other = '', later = '']) => [
        [one, after],
        [other, later],
      ])
      .filter(([attempt = '']) => /^\d+$/.test(attempt))
      .toSorted(([one], [other]) => Number(one) - Number(other))
      .map(([, gap = '']) => {
        const [amount = '', unit = ''] = gap.split(' ')
        return isUnit(unit) ? Number(amount) * seconds[unit] : Number.NaN
      })
    expect(gaps).toHaveLength(MOST_WEBHOOK_ATTEMPTS)
    for (const [made, gap] of gaps.entries()) expect(secondsToNextTry(made, 0.5)).toBeCloseTo(gap)
  })
})
