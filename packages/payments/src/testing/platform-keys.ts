import { generateKeyPairSync, randomBytes, randomInt, sign } from 'node:crypto'

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
  /** Absent in what an earlier version wrote. */
  virtual?: VirtualKeys
}

/** What the console of the platform shows about virtual payment and pushes (virtual payment §1.4). */
export type VirtualKeys = {
  offerId: string
  /** By `env`: two different secrets. */
  appKeys: Readonly<Record<0 | 1, string>>
  pushToken: string
  pushAesKey: string
  /** The mini-program's original id. */
  originalId: string
}

/** New keys of virtual payment and pushes (virtual payment §1.4). */
export const generateVirtualKeys = (): VirtualKeys => ({
  offerId: `145${digits(7)}`,
  appKeys: { 0: randomBytes(16).toString('hex'), 1: randomBytes(16).toString('hex') },
  pushToken: randomBytes(12).toString('hex'),
  // 43 characters: 32 bytes in base64 without their sign of equality.
  pushAesKey: randomBytes(32).toString('hex').slice(0, 43),
  originalId: `gh_${randomBytes(6).toString('hex')}`,
})

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
    virtual: generateVirtualKeys(),
  }
}

const tagged = (tag: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

/** The few shapes of DER (ITU-T X.690) of which a certificate consists. */
const der = {
  sequence: (...parts: Uint8Array[]) => tagged(0x30, Buffer.concat(parts)),
  set: (...parts: Uint8Array[]) => tagged(0x31, Buffer.concat(parts)),
  /** A positive integer whose first bit is clear. */
  integer: (bytes: Uint8Array) => tagged(0x02, bytes),
  bits: (bytes: Uint8Array) => tagged(0x03, Buffer.concat([Buffer.from([0]), bytes])),
  nothing: () => tagged(0x05, Buffer.alloc(0)),
  text: (text: string) => tagged(0x0c, Buffer.from(text, 'utf8')),
  explicit: (content: Uint8Array) => tagged(0xa0, content),
  identifier: (encoded: string) => tagged(0x06, Buffer.from(encoded, 'hex')),
  time: (time: Date) => {
    const digits = time.toISOString().replace(/[-:T]/g, '').slice(2, 14)
    return tagged(0x17, Buffer.from(`${digits}Z`, 'latin1'))
  },
}

/** A private key with its X.509 certificate, both PEM, and the serial in hexadecimal. */
export type CertifiedKey = { serial: string; privateKey: string; certificate: string }

const SHA256_WITH_RSA = '2a864886f70d01010b'
const COMMON_NAME = '550403'

const nameOf = (text: string) =>
  der.sequence(der.set(der.sequence(der.identifier(COMMON_NAME), der.text(text))))
const algorithm = () => der.sequence(der.identifier(SHA256_WITH_RSA), der.nothing())

/** Twenty bytes; a first one between 0x10 and 0x7f keeps the number positive and its text forty characters long. */
function newSerial(): Buffer {
  const serial = randomBytes(20)
  serial[0] = 0x10 + (serial.readUInt8(0) % 0x70)
  return serial
}

type CertificateWishes = { subject: string; from: Date; to: Date; serial?: Buffer }

/** A new 2048-bit key with a self-signed X.509 certificate (RFC 5280), as PEM texts. */
export function makeCertificate({
  subject,
  from,
  to,
  serial = newSerial(),
}: CertificateWishes): CertifiedKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const toBeSigned = der.sequence(
    der.explicit(der.integer(Buffer.from([2]))),
    der.integer(serial),
    algorithm(),
    nameOf('Sandbox payment platform'),
    der.sequence(der.time(from), der.time(to)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('RSA-SHA256', toBeSigned, privateKey)
  return {
    serial: serial.toString('hex').toUpperCase(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: toPem(der.sequence(toBeSigned, algorithm(), der.bits(signature))),
  }
}

function toPem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
