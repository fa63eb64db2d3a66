import { execFileSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readCommitted } from './committed-documents.ts'
import { OpenApiDocument, type Operation, operationsOf } from './read-document.ts'
import { pathOf } from './valid-request.ts'

const operations = operationsOf(OpenApiDocument.parse(readCommitted('current')))

const Sampled = z.looseObject({
  'x-codeSamples': z.array(z.object({ lang: z.string(), label: z.string(), source: z.string() })),
})
const samplesOf = (operation: Operation): Record<string, string> =>
  Object.fromEntries(
    Sampled.parse(operation)['x-codeSamples'].map(({ label, source }) => [label, source] as const),
  )

type Sent = { url: string; method: string; headers: Record<string, string>; body: unknown }
const Told = z.object({
  url: z.string(),
  method: z.string().default('GET'),
  header: z.record(z.string(), z.string()).default({}),
  data: z.unknown().optional(),
})
const Fetched = z
  .object({
    method: z.string().default('GET'),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().optional(),
  })
  .prefault({})

/** JSON as what it says; any other body as it is. */
const bodyOf = (text: string | undefined, headers: Record<string, string>): unknown =>
  text === undefined || headers['Content-Type'] !== 'application/json' ? text : JSON.parse(text)

/** What each sample sends, as it runs. */
const sentBy = {
  'wx.request': async (source: string): Promise<Sent> => {
    const asked: unknown[] = []
    runInNewContext(source, { wx: { request: (options: unknown) => asked.push(options) } })
    const { header: headers, data: body, ...rest } = Told.parse(asked[0])
    return { ...rest, headers, body }
  },
  Node: async (source: string): Promise<Sent> => {
    const asked: Sent[] = []
    const fetch = async (url: string, options: unknown) => {
      const { body, ...rest } = Fetched.parse(options)
      asked.push({ url, ...rest, body: bodyOf(body, rest.headers) })
      return { ok: true, json: async () => ({}) }
    }
    await runInNewContext(`(async () => {${source}\n})()`, { fetch })
    const [sent] = asked
    if (!sent) throw new Error('nothing was sent')
    return sent
  },
  curl: async (source: string): Promise<Sent> => {
    const shell = `curl() { printf '%s\\0' "$@"; }\n${source}`
    const words = execFileSync('sh', ['-c', shell], { encoding: 'utf8' }).split('\0').slice(0, -1)
    const after = (flag: string) => words.flatMap((word, at) => (words[at - 1] === flag ? [word] : []))
    const headers = Object.fromEntries(after('-H').map((header) => header.split(': ')))
    const [data] = [...after('-d'), ...after('--data-binary')]
    return {
      url: words.find((word) => word.startsWith('https:')) ?? '',
      method: after('-X')[0] ?? (data === undefined ? 'GET' : 'POST'),
      headers,
      body: bodyOf(data, headers),
    }
  },
}

const Media = z.looseObject({ example: z.unknown() })

/** A key never stands in a mini-program. */
const ofServers = operations.filter(({ opensBy }) => opensBy === 'api_key')
test.each(ofServers)('there is no sample of $name for a mini-program', (operation) => {
  expect(Object.keys(samplesOf(operation))).toEqual(['curl', 'Node'])
})

const samples = operations.flatMap((operation) =>
  Object.entries(sentBy)
    .filter(([label]) => label !== 'wx.request' || operation.opensBy !== 'api_key')
    .map(([label, run]) => ({ name: operation.name, label, operation, run })),
)

test.each(samples)('the sample of $name by $label sends what the document says', async (sample) => {
  const { operation, label, run } = sample
  const { url, method, headers, body } = await run(samplesOf(operation)[label] ?? '')
  const known = Object.fromEntries(
    operation.parameters.map(({ name, ...rest }) => [name, String(z.looseObject({}).parse(rest)['example'])]),
  )
  const content = Object.values(operation.requestBody?.content ?? {})[0]
  const { origin, pathname, searchParams } = new URL(url)
  expect([method, `${origin}${pathname}`]).toEqual([
    operation.method,
    `https://api.example.com${pathOf(operation, known)}`,
  ])
  const inQuery = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  for (const [name, value] of searchParams)
    expect([inQuery.includes(name), value]).toEqual([true, known[name]])
  expect(headers['Authorization']?.startsWith('Bearer mk_')).toBe(
    { user: false, api_key: true, nothing: undefined, platform: undefined }[operation.opensBy],
  )
  expect(body).toEqual(content && Media.parse(content).example)
})
