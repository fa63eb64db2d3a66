import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { decryptResource, RESOURCE_ALGORITHM } from '../cipher/decrypt-resource.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { parseJson } from '../read-fields.ts'
import type { RawAnswer } from '../send-once.ts'
import { type HeldKey, readPlatformKey } from './read-platform-key.ts'

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
export const certificates = (apiV3Keys: readonly KeyObject[]): Endpoint<HeldKey[]> => ({
  name: 'certificates',
  method: 'GET',
  path: '/v3/certificates',
  read: (content) => openCertificates(content, apiV3Keys) ?? undefined,
})

/** The keys that such an answer itself brings: it is the first thing they verify. */
export const certificatesIn = (raw: RawAnswer, apiV3Keys: readonly KeyObject[]): readonly HeldKey[] =>
  openCertificates(parseJson(raw.body), apiV3Keys) ?? []
