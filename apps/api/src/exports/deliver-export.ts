import { createHash } from 'node:crypto'
import type { Pool } from '@meridian/db'
import { type Secrets, unseal } from '../platform/crypto/seal.ts'
import { putStream } from '../platform/network/put-stream.ts'
import type { Reach } from '../platform/network/reachable.ts'
import { readExport } from './export-jobs.ts'
import { aboutSecret } from './export-schedules.ts'
import { findSending, type RunReference, recordDelivery, recordFailure } from './send-runs.ts'
import { objectUrl, signPut } from './store-address.ts'

type Sender = { pool: Pool; dataKeys: Secrets; reach: Reach; types: Readonly<Record<string, string>> }

/** The word by which a store of this kind says why it refused, as far as it is one. */
const codeIn = (answer: string): string => answer.match(/<Code>(\w{1,60})<\/Code>/)?.[1] ?? ''

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return (code || (error instanceof Error ? error.message || error.name : String(error))).slice(0, 200)
}

type Sending = NonNullable<Awaited<ReturnType<typeof findSending>>>

/** Reads the file twice, for its digest and for its bytes, so that no more than a piece of it is ever held. */
async function send(
  { pool, dataKeys, reach, types }: Sender,
  { scheduleId, day }: RunReference,
  sending: Sending,
) {
  const digest = createHash('sha256')
  let length = 0
  for await (const piece of readExport(pool, sending.exportId)) {
    digest.update(piece)
    length += piece.length
  }
  const url = objectUrl(sending, `${sending.kind}-${day}.${sending.format}`)
  const headers = await signPut({
    ...sending,
    url,
    secretAccessKey: unseal(dataKeys, aboutSecret(scheduleId), sending.sealedSecret).toString('utf8'),
    contentType: types[sending.format] ?? 'application/octet-stream',
    sha256: digest.digest('hex'),
  })
  return putStream(reach, { url, headers, length, bytes: readExport(pool, sending.exportId) })
}

/**
 * Sends the file of one day where its schedule says. Its name is that of the day, and a store keeps an object whole or not
 * at all: sent twice it is the same object, cut off it is none. What fails is tried again later.
 */
export async function deliverExport(sender: Sender, reference: RunReference): Promise<void> {
  const sending = await findSending(sender.pool, reference)
  if (!sending) return
  const failed = (error: string) =>
    recordFailure(sender.pool, { ...reference, attempts: sending.attempts, error })
  try {
    const { status, body } = await send(sender, reference, sending)
    if (status >= 200 && status < 300) await recordDelivery(sender.pool, reference)
    else await failed(`${status} ${codeIn(body)}`.trim())
  } catch (error) {
    await failed(reasonOf(error))
  }
}
