import { expect, test } from 'vitest'
import { readBounded } from '../src/api-client/incoming-request.ts'

const post = (body: BodyInit, headers: HeadersInit = {}) =>
  new Request('http://console.invalid', Object.assign({ method: 'POST', body, headers }, { duplex: 'half' }))

test('a body within the limit is read whole', async () => {
  const body = await readBounded(post('0123456789'), 10)
  expect(new TextDecoder().decode(body ?? undefined)).toBe('0123456789')
})

test('a body that declares too much is refused unread', async () => {
  expect(await readBounded(post('x', { 'content-length': '11' }), 10)).toBeNull()
})

test('a body that turns out too long is refused, although it declared nothing', async () => {
  const chunk = new TextEncoder().encode('0123')
  let sent = 0
  const endless = new ReadableStream({
    pull: (controller) => {
      sent += 1
      controller.enqueue(chunk)
    },
  })
  expect(await readBounded(post(endless), 10)).toBeNull()
  expect(sent).toBeLessThan(10)
})
