import { z } from 'zod'
import { observed } from '../observe-call.ts'
import { parseJson } from '../read-fields.ts'
import type { Runtime } from '../runtime.ts'
import { USER_AGENT } from '../send-once.ts'
import { MiniProgramError, type MiniProgramReason } from './mini-program.ts'

const BUDGET_MS = 5_000

/** What every answer of this platform may carry; 0 or absent is success (protocol §9). */
const Verdict = z.object({ errcode: z.number().int().optional() })

const reasons: Readonly<Record<number, MiniProgramReason>> = {
  [-1]: 'busy',
  45011: 'busy',
  45009: 'busy',
  40029: 'invalid_code',
  40163: 'invalid_code',
  40226: 'blocked',
  40013: 'misconfigured',
  40125: 'misconfigured',
  40164: 'misconfigured',
  41002: 'misconfigured',
  41004: 'misconfigured',
  61004: 'misconfigured',
  48001: 'misconfigured',
  41008: 'invalid_code',
  40003: 'invalid_request',
  40037: 'misconfigured',
  41030: 'misconfigured',
  47001: 'invalid_request',
  47003: 'misconfigured',
  43101: 'not_subscribed',
  10060001: 'not_yet',
}

export type MiniProgramRequest = {
  /** What it is called where calls are counted. */
  name: string
  method: 'GET' | 'POST'
  path: string
  query: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
}

/**
 * Calls the mini-program platform (protocol §9): no signature, always status 200, errors as numbers. Throws
 * MiniProgramError; nothing of the request, which holds secrets in its query, reaches an error.
 */
export const callMiniProgram = (
  at: { baseUrl: string; runtime: Runtime },
  request: MiniProgramRequest,
): Promise<unknown> =>
  observed(at.runtime, { platform: 'mini_program', endpoint: request.name }, () => send(at, request))

async function send(
  { baseUrl, runtime }: { baseUrl: string; runtime: Runtime },
  { method, path, query, body }: MiniProgramRequest,
): Promise<unknown> {
  const url = new URL(path, baseUrl)
  url.search = new URLSearchParams(query).toString()
  const answer = await runtime
    .fetch(url, {
      method,
      headers: { accept: 'application/json', 'user-agent': USER_AGENT, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(BUDGET_MS),
    })
    .then(async (response) =>
      response.ok ? parseJson(new Uint8Array(await response.arrayBuffer())) : undefined,
    )
    .catch(() => undefined)
  const verdict = Verdict.safeParse(answer)
  if (!verdict.success) throw new MiniProgramError('unreachable')
  const { errcode } = verdict.data
  if (errcode) throw new MiniProgramError(reasons[errcode] ?? 'refused', errcode)
  return answer
}
