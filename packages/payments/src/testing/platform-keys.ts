import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import { type CertifiedKey, makeCertificate } from './make-certificate.ts'

export type { CertifiedKey } from './make-certificate.ts'

/** All key material of a platform and its one merchant, as plain texts that can be written to files and loaded again. */
export type PlatformKeys = {
  appId: string
  appSecret: string
  mchId: string
  apiV3Key: string
  merchant: CertifiedKey
  publicKey: { id: string; privateKey: string; publicKey: string }
  /** Newest first. */
  certificates: CertifiedKey[]
}

const YEAR_MS = 365 * 86_400_000

const digits = (count: number) => Array.from({ length: count }, () => String(randomInt(10))).join('')

/** A platform certificate that is valid for five years from yesterday on (protocol §2.1). */
export const makePlatformCertificate = (now: Date): CertifiedKey =>
  makeCertificate({
    subject: 'Sandbox platform certificate',
    from: new Date(now.getTime() - 86_400_000),
    to: new Date(now.getTime() + 5 * YEAR_MS),
  })

/** New keys for a platform and its merchant; takes some tenths of a second. */
export function generatePlatformKeys(now: Date = new Date()): PlatformKeys {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const lasting = { from: new Date(now.getTime() - 86_400_000), to: new Date(now.getTime() + 5 * YEAR_MS) }
  return {
    appId: `wx${randomBytes(8).toString('hex')}`,
    appSecret: randomBytes(16).toString('hex'),
    mchId: `19${digits(8)}`,
    apiV3Key: randomBytes(16).toString('hex'),
    merchant: makeCertificate({ subject: 'Sandbox merchant', ...lasting }),
    publicKey: {
      id: `PUB_KEY_ID_01${digits(32)}`,
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    },
    certificates: [makePlatformCertificate(now)],
  }
}
