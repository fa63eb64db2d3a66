import { execFileSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
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
      asked.push({ url, ...rest, body: body === undefined ? undefined : JSON.parse(body) })
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
    const [data] = after('-d')
    return {
      url: words.find((word) => word.startsWith('https:')) ?? '',
      method: after('-X')[0] ?? 'GET',
      headers: Object.fromEntries(after('-H').map((header) => header.split(': '))),
      body: data === undefined ? undefined : JSON.parse(data),
    }
  },
}

const Media = z.looseObject({ example: z.unknown() })

describe.each(operations)('the samples of $name', (operation) => {
  test.each(Object.entries(sentBy))('by %s send what the document says', async (label, run) => {
    const { url, method, headers, body } = await run(samplesOf(operation)[label] ?? '')
    const known = Object.fromEntries(
      operation.parameters.map(({ name, ...rest }) => [
        name,
        String(z.looseObject({}).parse(rest)['example']),
      ]),
    )
    const content = operation.requestBody?.content['application/json']
    expect([method, url]).toEqual([operation.method, `https://api.example.com${pathOf(operation, known)}`])
    expect('Authorization' in headers).toBe(operation.signedIn)
    expect(body).toEqual(content && Media.parse(content).example)
  })
})
