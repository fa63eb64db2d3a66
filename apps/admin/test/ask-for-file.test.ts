import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askForFile } from '../src/api-client/ask-for-file.ts'
import { isSessionGone, problemOf } from '../src/api-client/problem.ts'

const answers: Record<string, { status: number; body: string }> = {
  '/file': { status: 200, body: 'a,b' },
  '/proxy': { status: 502, body: '<html>Bad gateway</html>' },
  '/gone': {
    status: 401,
    body: JSON.stringify({ code: 'unauthenticated', title: 'Please sign in', request_id: 'r1' }),
  },
}
const server = createServer((request, response) => {
  const { status, body } = answers[request.url ?? ''] ?? { status: 404, body: '' }
  response.writeHead(status).end(body)
})
let origin = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => server.close())

const refusalOf = (path: string) => askForFile(`${origin}${path}`, {}).catch((error: unknown) => error)

describe('asking for a file', () => {
  test('gives the file', async () => {
    expect(await (await askForFile(`${origin}/file`, {})).text()).toBe('a,b')
  })

  test('fails like every other call, so that a lost session leads to the sign-in page', async () => {
    const problem = problemOf(await refusalOf('/gone'))
    expect(problem).toEqual({ code: 'unauthenticated', title: 'Please sign in', requestId: 'r1' })
    expect(isSessionGone(problem)).toBe(true)
  })

  test('takes a page that is no problem document for no answer of the API', async () => {
    const refusal = await refusalOf('/proxy')
    expect(refusal).toBeInstanceOf(Error)
    expect(problemOf(refusal)).toBe(null)
  })

  test('takes a server that is not there for no answer', async () => {
    const refusal = await askForFile('http://127.0.0.1:1/', {}).catch((error: unknown) => error)
    expect(problemOf(refusal)).toBe(null)
  })
})
