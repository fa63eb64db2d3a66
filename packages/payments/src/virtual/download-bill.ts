import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { atMost, chunksOf } from '../bills/bounded-bytes.ts'
import { PaymentsError } from '../payments-error.ts'
import { observed, type Runtime } from '../runtime.ts'
import { USER_AGENT } from '../send-once.ts'
import type { RawBill } from './virtual-payments.ts'

const DOWNLOAD_WITHIN_MS = 10 * 60_000
/** The limit of the other bills before they are unpacked. */
const LONGEST_BILL_BYTES = 64 * 1024 ** 2

const isLoopback = ({ hostname }: URL) => ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)

/** The address is a secret of half an hour and carries all its rights: nothing of ours goes there, and nothing unencrypted. */
function trustedUrl(link: string, baseUrl: string): URL {
  const url = URL.canParse(link) ? new URL(link) : null
  const isTrusted = url?.protocol === 'https:' || (url && isLoopback(url) && isLoopback(new URL(baseUrl)))
  if (!url || !isTrusted)
    throw new PaymentsError('malformed_answer', { about: 'the bill lies with a stranger' })
  return url
}

async function download(runtime: Runtime, url: URL, file: string): Promise<string> {
  const signal = AbortSignal.timeout(DOWNLOAD_WITHIN_MS)
  const broken = (cause: unknown) =>
    new PaymentsError(signal.aborted ? 'timeout' : 'unreachable', { about: 'the download broke off', cause })
  const headers = { 'user-agent': USER_AGENT }
  const response = await runtime
    .fetch(url, { headers, redirect: 'manual', signal })
    .catch((cause: unknown) => {
      throw broken(cause)
    })
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel()
    throw new PaymentsError('refused', { status: response.status, about: `status ${response.status}` })
  }
  const hash = createHash('sha1')
  const hashed = async function* (bytes: AsyncIterable<Uint8Array>) {
    for await (const piece of bytes) {
      hash.update(piece)
      yield piece
    }
  }
  const bounded = hashed(atMost(LONGEST_BILL_BYTES, chunksOf(response.body)))
  await pipeline(bounded, createWriteStream(file, { mode: 0o600 })).catch((cause: unknown) => {
    throw cause instanceof PaymentsError ? cause : broken(cause)
  })
  return hash.digest('hex')
}

/**
 * Downloads a bill from the address that the platform gave, to a temporary file. Throws PaymentsError: `malformed_answer`
 * for an address that is not https, or a bill longer than 64 MiB; `refused`, `timeout`, `unreachable`.
 */
export async function downloadBill(
  { runtime, baseUrl }: { runtime: Runtime; baseUrl: string },
  link: string,
): Promise<RawBill> {
  const url = trustedUrl(link, baseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'bill-'))
  const discard = () => rm(folder, { recursive: true, force: true })
  const file = join(folder, 'bill')
  const call = { platform: 'mini_program', endpoint: 'bill_download' } as const
  try {
    const sha1 = await observed(runtime, call, () => download(runtime, url, file))
    return { sha1, bytes: () => createReadStream(file), discard }
  } catch (error) {
    await discard()
    throw error
  }
}
