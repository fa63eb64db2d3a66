import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { Credentials } from '../check-settings.ts'
import { decryptResource, RESOURCE_ALGORITHM } from '../cipher.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { KeyReport } from '../payments.ts'
import { parseJson } from '../read-fields.ts'
import { type Call, type Judge, unverified, verifyAnswer } from '../request.ts'
import type { RawAnswer } from '../send-once.ts'
import { type HeldKey, hasEnded, type KeyRing, readPlatformKey } from './key-ring.ts'

const CertificatesAnswer = z.object({
  data: z.array(
    z.object({
      serial_no: z.string(),
      encrypt_certificate: z.object({
        algorithm: z.literal(RESOURCE_ALGORITHM),
        nonce: z.string(),
        associated_data: z.string().default(''),
        ciphertext: z.string(),
      }),
    }),
  ),
})

/**
 * The certificates in an answer of `GET /v3/certificates`, decrypted (protocol §2.2). The API v3 key authenticates
 * each; null when one cannot be opened or is not the certificate that its serial names.
 */
export function openCertificates(answer: unknown, apiV3Keys: readonly KeyObject[]): HeldKey[] | null {
  const parsed = CertificatesAnswer.safeParse(answer)
  if (!parsed.success || parsed.data.data.length === 0) return null
  const keys: HeldKey[] = []
  for (const { serial_no: id, encrypt_certificate: sealed } of parsed.data.data) {
    const plain = decryptResource({ ...sealed, associatedData: sealed.associated_data }, apiV3Keys)
    if (plain === null) return null
    try {
      keys.push(readPlatformKey({ id, pem: plain.toString('utf8'), source: 'download' }))
    } catch {
      return null
    }
  }
  return keys
}

/** `GET /v3/certificates` (protocol §2.2). */
const certificates = (apiV3Keys: readonly KeyObject[]): Endpoint<HeldKey[]> => ({
  name: 'certificates',
  method: 'GET',
  path: '/v3/certificates',
  read: (content) => openCertificates(content, apiV3Keys) ?? undefined,
})

/** The keys that such an answer itself brings: it is the first thing they verify. */
const certificatesIn = (raw: RawAnswer, apiV3Keys: readonly KeyObject[]): readonly HeldKey[] =>
  openCertificates(parseJson(raw.body), apiV3Keys) ?? []

/** An answer with an unknown serial may fetch keys this often at most, in milliseconds. */
const AT_MOST_EVERY_MS = 60_000

export type Refresher = {
  refresh: () => Promise<KeyReport>
  adopt: (keys: readonly { id: string; pem: string }[]) => KeyReport
  report: () => KeyReport
  /** Refreshes where allowed and not done within the last minute; says whether the ring may have changed. */
  learn: () => Promise<boolean>
}

export type RefresherParts = { credentials: Credentials; ring: KeyRing; now: () => Date; call: Call }

/**
 * Keeps the ring fresh (protocol §2.2). One download at a time; when it fails the old keys stay. An unknown serial in
 * a notification never comes here: a stranger cannot make us call anybody.
 */
export function keyRefresher({ credentials, ring, now, call }: RefresherParts): Refresher {
  let refreshedAt: Date | null = null
  let triedAt: number | null = null
  let running: Promise<void> | null = null

  const report = (): KeyReport => ({
    keys: ring.held().map(({ key: _, ...publicPart }) => publicPart),
    downloadKeys: credentials.downloadKeys,
    refreshedAt,
  })

  const download = async (): Promise<void> => {
    triedAt = now().getTime()
    const { content } = await call(certificates(credentials.apiV3Keys))
    ring.add(content)
    refreshedAt = now()
  }

  const refresh = async (): Promise<KeyReport> => {
    if (!credentials.downloadKeys) return report()
    running ??= download().finally(() => {
      running = null
    })
    await running
    return report()
  }

  const learn = async (): Promise<boolean> => {
    const tooSoon = triedAt !== null && now().getTime() - triedAt < AT_MOST_EVERY_MS
    if (!credentials.downloadKeys || (tooSoon && running === null)) return false
    await refresh()
    return true
  }

  const adopt = (keys: readonly { id: string; pem: string }[]): KeyReport => {
    ring.add(keys.map(({ id, pem }) => readPlatformKey({ id, pem, source: 'download' })))
    return report()
  }

  return { refresh, adopt, report, learn }
}

/**
 * Judges the answer that brings certificates: by the ring or by the certificates just decrypted, which the API v3
 * key already vouches for. Without this the first download could not be verified at all.
 */
export const judgeCertificates = ({ credentials, ring, now }: Omit<RefresherParts, 'call'>): Judge => {
  return async (raw: RawAnswer) => {
    const brought = certificatesIn(raw, credentials.apiV3Keys).filter((key) => !hasEnded(key, now()))
    const keyFor = (serial: string) => ring.keyFor(serial) ?? brought.find(({ id }) => id === serial)?.key
    try {
      verifyAnswer(raw, keyFor, now())
    } catch (error) {
      throw unverified(error, raw)
    }
  }
}
