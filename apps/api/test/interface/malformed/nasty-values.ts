import { alternativesOf, type Schema } from '../read-document.ts'

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const deepObject = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

/** Texts that have broken somebody's program before. */
export const nastyTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\ufeffbom',
  '\u202edlrow',
  '💥'.repeat(40),
  'é'.normalize('NFD'),
  '１２３',
  '__proto__',
  'constructor',
  'toString',
  "' OR 1=1 --",
  '"; DROP TABLE users; --',
  '$1',
  '%s%n',
  '../../etc/passwd',
  '{{7*7}}',
  '<script>',
  'a\r\nx-injected: 1',
  'NaN',
  '-0',
  '1e999',
  '2026-02-30T00:00:00Z',
  '9999999-01-01T00:00:00Z',
  '2026-11-20T08:00:00+99:99',
  '-infinity',
  'x'.repeat(257),
  'x'.repeat(5001),
  '9'.repeat(400),
  `${'a'.repeat(5000)}!`,
]

/** JSON as text: not everything that can be sent can be held by a value. */
export const nastyJson: readonly string[] = [
  ...nastyTexts.map((text) => JSON.stringify(text)),
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e308',
  '1e999999',
  '-1e999999',
  '9007199254740993',
  '123456789012345678901234567890',
  `1${'0'.repeat(5000)}`,
  '[]',
  '{}',
  '[null]',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"toString":null,"valueOf":null}',
  deep(40),
  deep(20_000),
  deepObject(40),
  deepObject(8000),
  '"\\ud800"',
  '"\\u0000"',
]

/** Just outside what a schema allows. */
export function outOfBounds(schema: Schema): string[] {
  return alternativesOf(schema).flatMap((kind) => [
    ...(kind.minLength ? [JSON.stringify('x'.repeat(kind.minLength - 1))] : []),
    ...(kind.maxLength ? [JSON.stringify('x'.repeat(kind.maxLength + 1))] : []),
    ...(kind.minimum === undefined ? [] : [String(kind.minimum - 1)]),
    ...(kind.maximum === undefined ? [] : [String(kind.maximum + 1)]),
    ...(kind.enum ? [JSON.stringify(`${kind.enum[0]}x`), JSON.stringify([kind.enum[0]])] : []),
    ...(kind.type === 'array' ? ['{"0":1,"length":4294967295}', `[${'1,'.repeat(20_000)}1]`] : []),
  ])
}
