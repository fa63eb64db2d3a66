import { expect, test } from 'vitest'
import { mentionsIn, offeredAt, piecesOf } from '../src/features/notes/mentions.ts'
import { personalIn } from '../src/features/notes/personal.ts'

const [ann, anna, mail, wang] = [
  { id: '1', name: 'Ann' },
  { id: '2', name: 'Anna Lee' },
  { id: '3', name: 'li@example.com' },
  { id: '4', name: '王芳' },
]
const colleagues = [ann, anna, mail, wang].filter((one) => one !== undefined)
const namesIn = (text: string) => mentionsIn(text, colleagues).map(({ name }) => name)

test.each([
  ['called @Anna Lee, pays on Friday', ['Anna Lee']],
  ['@Ann and @Anna Lee', ['Anna Lee', 'Ann']],
  ['请@王芳跟进', ['王芳']],
  ['@li@example.com please', ['li@example.com']],
  ['Ann, nobody is named', []],
])('in "%s" are mentioned: %j', (text, names) => {
  expect(namesIn(text)).toEqual(names)
})

test.each([
  ['@', ['Ann', 'Anna Lee', 'li@example.com', '王芳'], 0],
  ['see @an', ['Ann', 'Anna Lee'], 4],
  ['请@王', ['王芳'], 1],
  ['ask @li@ex', ['li@example.com'], 4],
  ['@Ann,@Anna', ['Anna Lee'], 5],
])('after "%s" these are offered: %j', (before, names, from) => {
  const offered = offeredAt(before, colleagues)
  expect(offered?.names.map(({ name }) => name)).toEqual(names)
  expect(offered?.from).toBe(from)
})

test.each(['', 'see @Ann ', 'mail to somebody@example', '@nobody'])(
  'after "%s" nobody is offered',
  (before) => {
    expect(offeredAt(before, colleagues)).toBeNull()
  },
)

test('a note in pieces is the note again, with the names it mentions apart', () => {
  const text = '@Ann and @Anna Lee, @Bob: a@Ann'
  const pieces = piecesOf(text, ['Ann', 'Anna Lee'])
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
  expect(pieces.filter(({ isMention }) => isMention).map((piece) => piece.text)).toEqual([
    '@Ann',
    '@Anna Lee',
    '@Ann',
  ])
  expect(new Set(pieces.map(({ at }) => at)).size).toBe(pieces.length)
})

test.each([
  ['call 13800138000', 'phone'],
  ['call +86 138-0013-8000 again', 'phone'],
  ['her card: 11010519491231002X', 'identity_card'],
  ['he is oUpF8uMuAJO_M2pxb1Q9zNjWeS6o', 'openid'],
  ['order M01JDXW8K6Q2N4ZP0VTR5SYEABC', null],
  ['transaction 4200001234202611271234567890', null],
  ['pays ¥29.00 on Friday', null],
])('"%s" looks like: %s', (text, kind) => {
  expect(personalIn(text)).toBe(kind)
})
