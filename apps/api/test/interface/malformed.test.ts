import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { plantKey } from '../world/api-key.ts'
import { startApi } from '../world/api-process.ts'
import { useOpened, useTestWorld } from '../world/use-opened.ts'
import { readCommitted } from './committed-documents.ts'
import { type Judge, judgeBy, judgeProblem } from './judge-answer.ts'
import { type Malformed, malform } from './malformed/malform.ts'
import { randomFrom } from './malformed/random.ts'
import { hangsUp, type RawAnswer, sendMalformed } from './malformed/send-malformed.ts'
import { OpenApiDocument, operationsOf } from './read-document.ts'

const deep = process.env['MERIDIAN_DEEP'] === '1'
const count = deep ? 50_000 : 1_000
const seed = deep ? Math.floor(Date.now() / 1000) : 20261121
const atOnce = 12
const longestStallMs = 200

const document = readCommitted('current')
const operations = operationsOf(OpenApiDocument.parse(document))
const judge: Judge = judgeBy(document)

const world = useTestWorld()
const watch = fileURLToPath(new URL('malformed/watch-event-loop.mjs', import.meta.url))
const api = useOpened(() =>
  startApi({
    platform: world.platform,
    databaseUrl: world.databaseUrl,
    more: { MERIDIAN_ROLE: 'api', NODE_OPTIONS: `--import=${watch}` },
  }),
)
afterAll(() => api.stop())

const cut = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text)
const shown = ({ method, target, headers, body }: Malformed) =>
  cut(`${method} ${cut(target)} ${cut(JSON.stringify(headers))} ${cut(body.toString('latin1'))}`)

/** What is wrong with an answer to a request that something is wrong with. */
function complaintsOf(request: Malformed, answer: RawAnswer | null): string[] {
  if (!answer) return hangsUp(request) ? [] : ['no answer']
  const { status, headers, body } = answer
  const type = headers.get('content-type') ?? null
  if (status >= 500) return [`${status} ${JSON.stringify(body)}`]
  const refusal = request.method === 'HEAD' || status < 400 ? [] : judgeProblem({ status, type, body })
  const path = request.target.split(/[?#]/)[0] ?? ''
  const success = status < 300 ? judge({ method: request.method, path, status, type, body }) : []
  return [...refusal, ...success, ...(headers.has('x-request-id') ? [] : ['no request id'])]
}

async function longestStall(): Promise<number> {
  const before = api.output().length
  api.process.kill('SIGCONT')
  const found = await vi.waitFor(() => {
    const [, json] = /event loop: (\{.*\})\n/.exec(api.output().slice(before)) ?? []
    if (!json) throw new Error('not told yet')
    return json
  }, 120_000)
  return Number(JSON.parse(found).computedMs)
}

test(`${count} malformed requests are refused by problems: no failure of ours, no end of the program, no stall`, {
  timeout: deep ? 3_600_000 : 900_000,
}, async () => {
  const { tokens } = await world.phone()
  const tokenOf = { nothing: null, platform: null, user: tokens.access_token, api_key: await plantKey(world) }
  const random = randomFrom(seed)
  await longestStall()
  const wrong: string[] = []
  const statuses = new Map<number, number>()
  let sent = 0
  const sendInTurn = async () => {
    while (sent < count && wrong.length < 20) {
      const operation = operations[sent % operations.length]
      sent += 1
      if (!operation) return
      const request = malform(operation, random, tokenOf[operation.opensBy])
      const answer = await sendMalformed(new URL(api.url), request)
      statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1)
      const complaints = complaintsOf(request, answer)
      if (complaints.length > 0) wrong.push(`${shown(request)}\n  → ${complaints.join('\n  → ')}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendInTurn))
  expect(wrong, `seed ${seed}\n${wrong.join('\n')}\n${api.output().slice(-4000)}`).toEqual([])
  expect(
    [...statuses].filter(([status]) => status >= 400 || status === 0).reduce((sum, [, n]) => sum + n, 0),
  ).toBeGreaterThan(count / 2)
  expect(api.process.exitCode).toBe(null)
  expect(await longestStall()).toBeLessThan(longestStallMs)
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200)
})
