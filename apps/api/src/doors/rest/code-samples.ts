import type { Content, Json, OperationShape } from './document-shape.ts'

/** One operation as samples show it. */
type Call = {
  method: string
  /** With the example of each parameter of the path in its place, and the query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: unknown
}

const host = 'https://api.example.com'

const exampleIn = (content: Content = {}): unknown => Object.values(content)[0]?.example
const typeOf = (content: Content = {}): string => Object.keys(content)[0] ?? ''

/** A body as it is sent: JSON, or the text of a file. */
const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

/** Called from servers alone: a key never stands in a mini-program. */
const isOfSystems = ({ security = [] }: OperationShape) => security.some((one) => 'api_key' in one)

type At = { method: string; path: string; asks?: readonly string[] | undefined }

/** What is sent, from the examples of the operation. */
function callOf({ method, path, asks = [] }: At, operation: OperationShape): Call {
  const { parameters = [], security = [], requestBody } = operation
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((whole, { name, example }) => whole.replace(`{${name}}`, String(example)), path)
  const asked = parameters.filter((one) => one.in === 'query' && asks.includes(one.name))
  const query = new URLSearchParams(
    Object.fromEntries(asked.map(({ name, example }) => [name, String(example)])),
  ).toString()
  const body = exampleIn(requestBody?.content)
  const keyed = parameters.some(({ name }) => name === 'idempotency-key')
  return {
    method: method.toUpperCase(),
    path: query ? `${filled}?${query}` : filled,
    headers: {
      ...(security.some((one) => 'user' in one) && { Authorization: 'Bearer ACCESS_TOKEN' }),
      ...(isOfSystems(operation) && { Authorization: 'Bearer mk_KEY' }),
      ...(body !== undefined && { 'Content-Type': typeOf(requestBody?.content) }),
      ...(keyed && { 'Idempotency-Key': 'KEY_OF_THIS_PURCHASE' }),
    },
    body,
  }
}

/** What is longer has a line for each member. */
const longestLine = 80

/** As JavaScript is written: names without quotes, texts in single ones where nothing in them needs more. */
function written(value: unknown): string {
  const lines = JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll(/^((?: *[\w"-]+:)? *)"([^"'\\]*)"(,?)$/gm, "$1'$2'$3")
    .replaceAll(/^( *)"([^"'\\]+)":/gm, "$1'$2':")
  const line = lines.replaceAll(/\n */g, ' ')
  return line.length > longestLine ? lines.replaceAll('\n', '\n  ') : line
}

/** In a shell, within single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function inMiniProgram({ method, path, headers, body }: Call): string {
  const members = [
    `url: '${host}${path}'`,
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(Object.keys(headers).length > 0 ? [`header: ${written(headers)}`] : []),
    ...(body === undefined ? [] : [`data: ${written(body)}`]),
    'success: ({ statusCode, data }) => console.log(statusCode, data)',
    'fail: console.error',
  ]
  return `wx.request({\n  ${members.join(',\n  ')},\n})`
}

function inShell({ method, path, headers, body }: Call): string {
  const usual = body === undefined ? 'GET' : 'POST'
  const parts = [
    `curl ${method === usual ? '' : `-X ${method} `}${quoted(`${host}${path}`)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : [`${typeof body === 'string' ? '--data-binary' : '-d'} ${quoted(textOf(body))}`]),
  ]
  return parts.join(' \\\n  ')
}

function inNode({ method, path, headers, body }: Call, operation: OperationShape): string {
  const members = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(Object.keys(headers).length > 0 ? [`headers: ${written(headers)}`] : []),
    ...(body === undefined
      ? []
      : [
          typeof body === 'string'
            ? `body: ${JSON.stringify(body)}`
            : `body: JSON.stringify(${written(body)})`,
        ]),
  ]
  const options = members.length > 0 ? `, {\n  ${members.join(',\n  ')},\n}` : ''
  const reads = Object.entries(operation.responses).some(
    ([status, { content }]) => status.startsWith('2') && content !== undefined,
  )
  return [
    `const response = await fetch('${host}${path}'${options})`,
    ...(reads
      ? ['const answer = await response.json()', 'if (!response.ok) throw new Error(answer.code)']
      : ['if (!response.ok) throw new Error((await response.json()).code)']),
  ].join('\n')
}

/** How an operation is called from a mini-program, a shell and Node; none where nobody but the platform calls it. */
export function codeSamples(at: At, operation: OperationShape): Json {
  if (operation.tags?.some((tag) => tag === 'platform' || tag === 'document')) return {}
  const call = callOf(at, operation)
  return {
    'x-codeSamples': [
      ...(isOfSystems(operation)
        ? []
        : [{ lang: 'JavaScript', label: 'wx.request', source: inMiniProgram(call) }]),
      { lang: 'Shell', label: 'curl', source: inShell(call) },
      { lang: 'JavaScript', label: 'Node', source: inNode(call, operation) },
    ],
  }
}
