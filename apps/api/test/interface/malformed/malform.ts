import { gzipSync } from 'node:zlib'
import { alternativesOf, type Operation, type Schema, schemaIn } from '../read-document.ts'
import { exampleOf, pathOf } from '../valid-request.ts'
import { nastyJson, nastyTexts, outOfBounds } from './nasty-values.ts'
import type { Random } from './random.ts'

/** A request as bytes may say it, right or wrong. */
export type Malformed = {
  method: string
  /** Anything but a blank or an end of line. */
  target: string
  headers: [name: string, value: string][]
  body: Buffer
  /** What Content-Length says, where it does not tell the truth. */
  promises?: number
}

type Whole = Malformed & { operation: Operation }
type Mutation = (request: Whole, random: Random) => Malformed

const json = (request: Whole, text: string | Buffer): Whole => ({ ...request, body: Buffer.from(text) })
const bodySchema = ({ operation }: Whole): Schema => schemaIn(operation.requestBody?.content) ?? {}

/** One member of the body, at any depth, replaced by a text that may be no JSON of its kind. */
function replaceMember(schema: Schema, random: Random): string {
  const [kind = schema] = alternativesOf(schema)
  const members = Object.entries(kind.properties ?? {})
  if (members.length === 0 || random.chance(0.05)) {
    const near = outOfBounds(schema)
    return near.length > 0 && random.chance(0.3) ? random.pick(near, '') : random.pick(nastyJson, '')
  }
  const [chosen] = random.pick(members, ['', {}])
  const written = members.map(([name, member]) => {
    const value = name === chosen ? replaceMember(member, random) : JSON.stringify(exampleOf(member))
    return `${JSON.stringify(name)}:${value}`
  })
  return `{${written.join(',')}}`
}

const example = (request: Whole) => JSON.stringify(exampleOf(bodySchema(request)))

const bodies: readonly Mutation[] = [
  (request, random) => json(request, replaceMember(bodySchema(request), random)),
  (request, random) => json(request, replaceMember(bodySchema(request), random)),
  (request, random) => json(request, replaceMember(bodySchema(request), random)),
  (request, random) => {
    const left = Object.entries(Object(exampleOf(bodySchema(request)))).filter(() => random.chance(0.6))
    return json(request, JSON.stringify(Object.fromEntries(left)))
  },
  (request, random) => {
    const name = random.pick(['__proto__', 'constructor', 'x', 'user_id', '', '\u0000'], '')
    const more = `${JSON.stringify(name)}:${random.pick(nastyJson, '1')}`
    return json(request, example(request).replace(/^\{/, `{${more},`).replace(/,\}$/, '}'))
  },
  (request, random) => json(request, random.pick(nastyJson, '')),
  (request, random) => {
    const text = example(request)
    return json(request, text.slice(0, random.below(text.length + 1)))
  },
  (request, random) => {
    const bytes = Buffer.from(example(request))
    for (let turn = 0; turn < 3; turn++) bytes[random.below(bytes.length)] = random.below(256)
    return json(request, bytes)
  },
  (request) => json(request, Buffer.from(example(request), 'utf16le')),
  (request) => json(request, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(example(request))])),
  (request) => json(request, Buffer.from([0xff, 0xfe, 0x00, 0xc0, 0x80])),
  (request) => json(request, `${' '.repeat(70_000)}${example(request)}`),
  (request) => json(request, `"${'x'.repeat(300_000)}"`),
  (request) => ({ ...json(request, example(request)), promises: request.body.length + 1000 }),
  (request) => ({
    ...json(request, gzipSync(example(request))),
    headers: [...request.headers, ['content-encoding', 'gzip']],
  }),
  (request, random) => ({
    ...json(request, example(request)),
    headers: [
      ...request.headers.filter(([name]) => name !== 'content-type'),
      [
        'content-type',
        random.pick(
          [
            'text/plain',
            'application/xml',
            'multipart/form-data',
            'application/json; charset=utf-16',
            ';',
            'x'.repeat(300),
            'application/json, text/html',
            'application/x-www-form-urlencoded',
          ],
          '',
        ),
      ],
    ],
  }),
]

/** Half of a character cannot be escaped: it becomes the character that stands for what is broken. */
const escaped = (text: string) => encodeURIComponent(Buffer.from(text).toString())
/** As it may stand in a request line: no blank, no end of line. */
const nastyInPath = [
  ...nastyTexts.map(escaped),
  ...[
    '%',
    '%00',
    '%ff',
    '%E0%A4%A',
    '..',
    '%2e%2e',
    '%2f',
    '//',
    '\\',
    '~',
    '%c0%ae',
    '*',
    '[]',
    'a;b=c',
    "'",
    '"',
    '<',
    '\u007f',
    '#x',
    '?x',
    ':',
    '@',
  ],
]

const queries: readonly Mutation[] = [
  (request, random) => {
    const names = request.operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name)
    const name = random.pick([...names, '__proto__', 'x', ''], 'x')
    const form = random.pick(['=', '[]=', '[a]=', '=1&limit=', '', '.a='], '=')
    return {
      ...request,
      target: `${request.target}?${name}${form}${random.pick(nastyInPath, '').replace('#', '')}`,
    }
  },
  (request, random) => ({
    ...request,
    target: `${request.target}?${'limit=5&'.repeat(1 + random.below(900))}cursor=`,
  }),
  (request, random) => ({
    ...request,
    target: pathOf({
      ...request.operation,
      path: request.operation.path.replaceAll(/\{\w+\}/g, '\u0001'),
    }).replaceAll('\u0001', random.pick(nastyInPath, 'x')),
  }),
  (request, random) => ({ ...request, target: `${request.target}${random.pick(nastyInPath, '/')}` }),
  (request, random) => ({
    ...request,
    method: random.pick(['PATCH', 'OPTIONS', 'TRACE', 'PUT', 'DELETE', 'HEAD', 'BREW', 'get'], 'PUT'),
  }),
]

const named = [
  'authorization',
  'idempotency-key',
  'x-client-platform',
  'x-request-id',
  'accept-language',
  'if-none-match',
  'accept',
  'x-forwarded-for',
  'range',
  'cookie',
  'expect',
  'transfer-encoding',
  'content-length',
  'host',
  'connection',
  'upgrade',
  'accept-encoding',
  'origin',
]
const inHeader = (text: string) => text.replaceAll(/[\r\n]/g, ' ')

const headers: readonly Mutation[] = [
  (request, random) => ({
    ...request,
    headers: [...request.headers, [random.pick(named, 'x'), inHeader(random.pick(nastyTexts, ''))]],
  }),
  (request, random) => ({
    ...request,
    headers: [
      ...request.headers.filter(([name]) => name !== 'authorization'),
      ['authorization', `Bearer ${inHeader(random.pick(nastyTexts, ''))}`],
    ],
  }),
  (request, random) => ({
    ...request,
    headers: [...request.headers, [random.pick(named, 'x'), 'x'.repeat(1000 + random.below(40_000))]],
  }),
  (request, random) => ({
    ...request,
    headers: [
      ...request.headers,
      ...Array.from({ length: 50 + random.below(3000) }, (_, n): [string, string] => [`x-${n}`, 'y']),
    ],
  }),
  (request, random) => ({
    ...request,
    headers: [...request.headers, [random.pick(['', ' ', 'a b', 'é', 'x:y', '(x)'], ''), 'y']],
  }),
  (request) => ({
    ...request,
    headers: [...request.headers, ['transfer-encoding', 'chunked']],
    body: Buffer.from('zz\r\n{}\r\n0\r\n\r\n'),
  }),
]

/** One thing wrong with a request of this operation, or two. */
export function malform(operation: Operation, random: Random, token: string | null): Malformed {
  const takesBody = ['POST', 'PUT', 'DELETE'].includes(operation.method)
  const schema = schemaIn(operation.requestBody?.content)
  const whole: Whole = {
    operation,
    method: operation.method,
    target: pathOf(operation),
    headers: [
      ['content-type', 'application/json'],
      ...(token === null ? [] : [['authorization', `Bearer ${token}`] satisfies [string, string]]),
    ],
    body: Buffer.from(schema ? JSON.stringify(exampleOf(schema)) : ''),
  }
  const kinds = takesBody ? [bodies, bodies, bodies, queries, headers] : [queries, queries, headers, bodies]
  const mutate = (request: Whole): Whole => {
    const mutation = random.pick(random.pick(kinds, bodies), (same) => same)
    return { ...mutation(request, random), operation }
  }
  const once = mutate(whole)
  return random.chance(0.15) ? mutate(once) : once
}
