import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createMiniProgram, PaymentsError, systemRuntime } from '../src/index.ts'
import { failureOf } from './world/failure-of.ts'

const settings = {
  offerId: '1450000001',
  appKey: 'key',
  env: 0,
  pushToken: 'token',
  pushAesKey: 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG',
} as const

/** Virtual payment at this address, whose bills are answered so. */
function virtualAt(baseUrl: string, answer: (url: URL, init?: RequestInit) => Response | Promise<Response>) {
  const seen: { url: URL; init: RequestInit | undefined }[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input))
    seen.push({ url, init })
    return answer(url, init)
  }
  const program = createMiniProgram(
    { appId: 'wx', appSecret: 'secret', baseUrl },
    { ...systemRuntime, fetch },
  )
  return { virtual: program.virtualPayments(settings), seen }
}

const official = 'https://api.weixin.qq.com'
const bill = 'https://bills.example.com/1?sign=2'

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

describe('a bill of virtual payment', () => {
  it('is kept in a file as it came, with its hash, and asked for without anything of ours', async () => {
    const { virtual, seen } = virtualAt(official, () => new Response('any,layout'))
    const { sha1, bytes, discard } = await virtual.downloadBill(bill)
    expect(sha1).toBe(createHash('sha1').update('any,layout').digest('hex'))
    expect(await textOf(bytes())).toBe('any,layout')
    expect(await textOf(bytes())).toBe('any,layout')
    await discard()
    await expect(textOf(bytes())).rejects.toThrow()
    expect(seen).toMatchObject([
      { init: { redirect: 'manual', headers: { 'user-agent': expect.any(String) } } },
    ])
    expect(Object.keys(seen[0]?.init?.headers ?? {})).toEqual(['user-agent'])
  })

  it.each(['http://bills.example.com/1', 'http://127.0.0.1/1', 'ftp://bills.example.com/1', 'nowhere'])(
    'is not fetched from %s',
    async (link) => {
      const { virtual, seen } = virtualAt(official, () => new Response('x'))
      expect(await failureOf(PaymentsError, virtual.downloadBill(link))).toMatchObject({
        reason: 'malformed_answer',
      })
      expect(seen).toEqual([])
    },
  )

  it('may lie on this machine where the platform does', async () => {
    const { virtual } = virtualAt('http://127.0.0.1:1', () => new Response('x'))
    const { discard } = await virtual.downloadBill('http://127.0.0.1:2/bill')
    await discard()
  })

  it('that is refused, breaks off or never ends is none', async () => {
    const refused = virtualAt(official, () => new Response('gone', { status: 403 }))
    expect(await failureOf(PaymentsError, refused.virtual.downloadBill(bill))).toMatchObject({
      reason: 'refused',
      status: 403,
    })
    const moved = virtualAt(official, () => new Response(null, { status: 302, headers: { location: bill } }))
    expect(await failureOf(PaymentsError, moved.virtual.downloadBill(bill))).toMatchObject({
      reason: 'refused',
      status: 302,
    })
    const silent = virtualAt(official, () => Promise.reject(new TypeError('fetch failed')))
    expect(await failureOf(PaymentsError, silent.virtual.downloadBill(bill))).toMatchObject({
      reason: 'unreachable',
    })
    const broken = virtualAt(
      official,
      () => new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })),
    )
    expect(await failureOf(PaymentsError, broken.virtual.downloadBill(bill))).toMatchObject({
      reason: 'unreachable',
    })
    const endless = virtualAt(
      official,
      () =>
        new Response(
          new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024 ** 2)) }),
        ),
    )
    expect(await failureOf(PaymentsError, endless.virtual.downloadBill(bill))).toMatchObject({
      reason: 'malformed_answer',
    })
  })
})
