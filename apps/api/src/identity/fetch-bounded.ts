import type { Runtime } from '@meridian/payments'
import { DomainError } from '../platform/errors/domain-error.ts'

const TIMEOUT_MS = 5_000
const LIMIT_BYTES = 256 * 1024

async function readAtMost(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > LIMIT_BYTES) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

type Asked = { url: string; init?: { method?: string; headers?: Record<string, string>; body?: string } }

/**
 * Asks the identity provider: no redirect, five seconds, 256 KiB.
 * @throws DomainError service_unavailable when no JSON comes, whatever the status
 */
export async function fetchBounded(
  { fetch }: Pick<Runtime, 'fetch'>,
  { url, init = {} }: Asked,
): Promise<{ status: number; body: unknown }> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { ...init, redirect: 'error', signal })
    const body: unknown = JSON.parse(await readAtMost(response))
    if (response.status >= 500) throw new Error(`status ${response.status}`)
    return { status: response.status, body }
  } catch {
    throw new DomainError('service_unavailable')
  }
}
