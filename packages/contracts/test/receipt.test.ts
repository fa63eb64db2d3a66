import fc from 'fast-check'
import { expect, test } from 'vitest'
import { capitalYuan } from '../src/index.ts'

test.each([
  [0, '人民币零元整'],
  [1, '人民币壹分'],
  [10, '人民币壹角整'],
  [2900, '人民币贰拾玖元整'],
  [1205, '人民币壹拾贰元零伍分'],
  [140_950, '人民币壹仟肆佰零玖元伍角整'],
  [600_714, '人民币陆仟零柒元壹角肆分'],
  [168_032, '人民币壹仟陆佰捌拾元叁角贰分'],
  [10_700_053, '人民币壹拾万柒仟元伍角叁分'],
  [1_640_902, '人民币壹万陆仟肆佰零玖元零贰分'],
  [32_504, '人民币叁佰贰拾伍元零肆分'],
  [10_000_000_100, '人民币壹亿零壹元整'],
  [1_000_000_00, '人民币壹佰万元整'],
])('%i fen is %s', (fen, said) => {
  expect(capitalYuan(fen)).toBe(said)
})

const values = new Map([...'零壹贰叁肆伍陆柒捌玖'].map((digit, value) => [digit, value]))
const places = new Map([
  ['拾', 10],
  ['佰', 100],
  ['仟', 1000],
])

/** Reads capitals as a person does: sign by sign. */
function readBack(said: string): number {
  let [all, group, digit] = [0, 0, 0]
  for (const sign of said.slice('人民币'.length)) {
    const value = values.get(sign)
    if (value !== undefined) {
      digit = value
      continue
    }
    const place = places.get(sign)
    if (place !== undefined) group += digit * place
    if (sign === '万') group = (group + digit) * 10_000
    if (sign === '亿') all = (all + group + digit) * 100_000_000
    if (sign === '亿') group = 0
    if (sign === '元') all = (all + group + digit) * 100
    if (sign === '角') all += digit * 10
    if (sign === '分') all += digit
    digit = 0
  }
  return all
}

test('every amount is read back as itself, and never says two zeros on end', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (fen) => {
      const said = capitalYuan(fen)
      expect(readBack(said)).toBe(fen)
      expect(said).not.toMatch(/零零/u)
    }),
  )
})
