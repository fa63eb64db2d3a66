import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { guardPages } from '../src/server/guard-pages.ts'
import { openServer } from '../src/server/http-servers.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listening(server: Server): Promise<number> {
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** A console whose pages are held until they are let go, and which counts what it renders. */
async function openConsole() {
  const held: (() => void)[] = []
  const rendered: string[] = []
  const guard = guardPages(
    async (request, response) => {
      rendered.push(request.url ?? '')
      if (request.url?.startsWith('/held')) await new Promise<void>((resolve) => held.push(resolve))
      response.end('page')
    },
    (pathname) => !pathname.startsWith('/unknown'),
  )
  const server = openServer()
  server.on('request', (request, response) =>
    guard({ request, response, address: String(request.headers['x-from'] ?? '203.0.113.1') }),
  )
  const port = await listening(server)
  const ask = async (path: string, from = '203.0.113.1') =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-from': from } })).status
  return { ask, held, rendered }
}

test('paths that lead nowhere soon cost no page, and an address elsewhere still gets one', async () => {
  const { ask, rendered } = await openConsole()
  for (let turn = 0; turn < 300; turn++) await ask(`/unknown/${turn}`)
  expect(rendered).toHaveLength(10)
  expect(await ask('/unknown/again')).toBe(404)
  await ask('/unknown/again', '203.0.113.2')
  expect(rendered).toHaveLength(11)
})

test('whoever asks for very many pages waits behind themselves alone', async () => {
  const { ask, held, rendered } = await openConsole()
  const statuses = Array.from({ length: 50 }, (_, turn) => ask(`/held/${turn}`))
  await expect.poll(() => rendered.length).toBe(6)
  expect(await ask('/sign-in', '203.0.113.2')).toBe(200)
  expect(await ask('/_next/static/chunk.js')).toBe(200)
  expect(await ask('/api/trpc/order.list')).toBe(200)
  const refused: number[] = []
  for (const status of statuses) void status.then((answered) => answered === 429 && refused.push(answered))
  await expect.poll(() => refused.length).toBe(14)
  const done = Promise.all(statuses)
  const letGo = setInterval(() => {
    for (const go of held.splice(0)) go()
  }, 5)
  const counts = (await done).toSorted()
  clearInterval(letGo)
  expect(counts.filter((status) => status === 429)).toHaveLength(14)
  expect(counts.filter((status) => status === 200)).toHaveLength(36)
})

test('whoever answers says TLS for a year and framed by nobody; a page replaces the policy by its own', async () => {
  const server = openServer()
  const guard = guardPages(
    async ({ url }, response) => {
      if (url === '/page') response.setHeader('Content-Security-Policy', `default-src 'self'`)
      response.end()
    },
    (pathname) => pathname !== '/unknown',
  )
  server.on('request', (request, response) => guard({ request, response, address: '203.0.113.1' }))
  const port = await listening(server)
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).headers
  for (let turn = 0; turn < 10; turn++) await ask('/unknown')
  for (const path of ['/api/trpc/x', '/console/exports/orders', '/_next/static/chunk.js', '/unknown'])
    expect([path, ...Object.entries(Object.fromEntries(await ask(path)))]).toEqual(
      expect.arrayContaining([
        path,
        ['strict-transport-security', 'max-age=31536000; includeSubDomains'],
        ['content-security-policy', `default-src 'none'; frame-ancestors 'none'`],
        ['x-frame-options', 'DENY'],
        ['x-content-type-options', 'nosniff'],
      ]),
    )
  expect((await ask('/page')).get('content-security-policy')).toBe(`default-src 'self'`)
})

test('half a request is closed when a whole one would have to be here', async () => {
  const port = await listening(openServer(300))
  const socket = connect(port, '127.0.0.1')
  socket.write('POST /api/trpc/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /)
})
