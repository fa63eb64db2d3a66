import { createMiniProgram, MiniProgramError, type Runtime, systemRuntime } from '../../src/index.ts'
import { failureOf } from './failure-of.ts'

type Asked = {
  method: string
  host: string
  path: string
  query: Record<string, string>
  body: unknown
  signal: AbortSignal | null
}
export type Written = { status?: number; text?: string; content?: unknown } | Error

export const token = { access_token: 'first', expires_in: 7200 }
export const start = new Date('2026-01-01T12:00:00.007Z').getTime()

/** A mini-program whose platform answers a token to who asks for one, and these to all else, the last one for ever. */
export function programOf(written: readonly Written[], tokens: readonly object[] = [token]) {
  const asked: Asked[] = []
  const clock = { now: start }
  const isToken = ({ path }: Asked) => path === '/cgi-bin/stable_token'
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input))
    const one: Asked = {
      method: init?.method ?? '',
      ...{ host: url.host, path: url.pathname, query: Object.fromEntries(url.searchParams) },
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : null,
      signal: init?.signal ?? null,
    }
    asked.push(one)
    const before = asked.filter((other) => isToken(other) === isToken(one)).length
    const list: readonly Written[] = isToken(one) ? tokens.map((content) => ({ content })) : written
    const answer = list[Math.min(before, list.length) - 1]
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer was written')
    const { status = 200, content = {}, text = JSON.stringify(content) } = answer
    return new Response(text, { status })
  }
  const runtime: Runtime = { ...systemRuntime, fetch, now: () => new Date(clock.now) }
  const settings = { appId: 'wx1', appSecret: 'secret', baseUrl: 'https://api.weixin.qq.com' }
  const paths = () => asked.map(({ path }) => path.split('/').at(-1))
  return { program: createMiniProgram(settings, runtime), asked, clock, paths }
}

/** How a call failed; throws where it did not. */
export const failed = (call: Promise<unknown>): Promise<MiniProgramError> => failureOf(MiniProgramError, call)

export const message = {
  openid: 'oSomebody',
  templateId: 'T1',
  data: { thing1: 'a month', time2: '2026-01-01' },
}
