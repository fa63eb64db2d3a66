import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { answerHealth, type Readiness } from '../src/server/answer-health.ts'
import { drainConsole, sendElsewhere } from '../src/server/drain-console.ts'
import { openServer } from '../src/server/http-servers.ts'

const drainMs = 500

/** A console whose page `/held` is answered when the test says so, asked through one connection that is kept. */
async function openConsole(readiness: Readiness) {
  const server = openServer()
  const held: ServerResponse[] = []
  sendElsewhere(server, readiness)
  server.on('request', (request, response) => {
    if (answerHealth(request, response, readiness)) return
    if (request.url === '/held') held.push(response)
    else response.end('page')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const ask = async (path: string) => {
    const [answer] = await once(get({ port, host: '127.0.0.1', path, agent }), 'response')
    return answer
  }
  const look = async (path: string) => {
    const answer = await ask(path)
    return { status: answer.statusCode, body: await json(answer) }
  }
  return { server, port, held, ask, look }
}

const checks = { pages: 'ok' }

test('a console is ready when it renders pages, alive before that, and asks nobody else about it', async () => {
  const readiness = { prepared: false, draining: false }
  const { look, ask } = await openConsole(readiness)
  expect(await look('/healthz')).toEqual({ status: 200, body: { status: 'ok' } })
  const early = { status: 'not_ready', checks: { pages: 'failed' } }
  expect(await look('/readyz')).toEqual({ status: 503, body: early })
  readiness.prepared = true
  expect(await look('/readyz?from=balancer')).toEqual({ status: 200, body: { status: 'ready', checks } })
  expect((await ask('/readyz/more')).headers['content-type']).toBe(undefined)
})

test('a draining console says so, answers for a while, finishes what is under way and keeps no connection', async () => {
  const readiness = { prepared: true, draining: false }
  const { server, port, held, ask, look } = await openConsole(readiness)
  const silent = connect(port, '127.0.0.1')
  const [[socket]] = await Promise.all([once(server, 'connection'), once(silent, 'connect')])
  const underWay = ask('/held')
  await expect.poll(() => held.length).toBe(1)
  let nextIsClosed = false
  const closeNext = async () => {
    nextIsClosed = true
  }
  const startedAt = performance.now()
  const drained = drainConsole({ server, readiness, drainMs, closeNext }, new Set([socket]))
  expect(await look('/readyz')).toEqual({ status: 503, body: { status: 'draining', checks } })
  expect(await look('/healthz')).toMatchObject({ status: 200 })
  expect((await ask('/page')).headers.connection).toBe('close')
  expect(server.listening).toBe(true)
  await once(silent, 'close')
  expect(performance.now() - startedAt).toBeGreaterThan(drainMs - 50)
  expect(server.listening).toBe(false)
  expect(nextIsClosed).toBe(false)
  held[0]?.end('late page')
  expect((await underWay).statusCode).toBe(200)
  await drained
  expect(performance.now() - startedAt).toBeLessThan(drainMs + 5_000)
  expect(nextIsClosed).toBe(true)
})
