import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { der } from './write-der.ts'

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

export type CertificateWishes = { subject: string; from: Date; to: Date; serial?: Buffer }

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
