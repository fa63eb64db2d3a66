import { expect, test } from 'vitest'
import { boundedStream } from '../../src/platform/streams/bounded-stream.ts'

function* counting(): Generator<number> {
  for (let number = 1; ; number++) yield number
}

async function drain<Item>(stream: AsyncGenerator<Item, boolean>) {
  const items: Item[] = []
  for (;;) {
    const { done, value } = await stream.next()
    if (done) return { items, more: value }
    items.push(value)
  }
}

test('a stream ends at its bound of rows and says that something was left', async () => {
  expect(await drain(boundedStream(counting(), { rows: 3 }))).toEqual({ items: [1, 2, 3], more: true })
  expect(await drain(boundedStream([1, 2, 3], { rows: 3 }))).toEqual({ items: [1, 2, 3], more: false })
})

test('a stream ends before the item that is one byte too many', async () => {
  const bytesOf = (item: string) => item.length
  expect(await drain(boundedStream(['aa', 'bb', 'c'], { bytes: 4, bytesOf }))).toEqual({
    items: ['aa', 'bb'],
    more: true,
  })
})

test('others get their turn while a stream is read, however fast its items come', async () => {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  await drain(boundedStream(counting(), { rows: 200_000 }))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(2)
})
