import { createHash, randomInt } from 'node:crypto'
import type { OperatorRole } from '@meridian/contracts'
import { hash, verify } from '@node-rs/argon2'
import type { IdentitySettings } from '../identity/identity-settings.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { openAllowance } from '../platform/limits/bounded-work.ts'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * The process hashes two passwords at a time: the rest of its threads is for everything else it does. Twenty more
 * wait, of whom at most fifteen are strangers.
 */
export const passwordHashes = openAllowance({
  atOnce: 2,
  waiting: 20,
  refusal: { code: 'rate_limited', retryAfterSeconds: 1 },
})
const roomForStrangers = 15

/** argon2id with the parameters that OWASP's password sheet names. @throws DomainError rate_limited */
export const hashPassword = (password: string): Promise<string> =>
  passwordHashes.run(() => hash(password, cost))

/** @throws DomainError rate_limited where too many passwords wait for their turn */
export const isPassword = (
  passwordHash: string,
  password: string,
  { stranger = false }: { stranger?: boolean } = {},
): Promise<boolean> =>
  passwordHashes.run(() => verify(passwordHash, password), stranger ? roomForStrangers : undefined)

/**
 * Whether a password opens anything: where passwords are switched off, that of the one owner who keeps one, for the day
 * the identity provider is away.
 */
export function takesPasswordOf(
  identity: Pick<IdentitySettings, 'breakGlass'> | null,
  { email, role }: { email: string; role: OperatorRole | undefined },
): boolean {
  if (!identity || identity.breakGlass === null) return true
  return email.toLowerCase() === identity.breakGlass && role === 'owner'
}

const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password a person can type: 23 characters without look-alikes, about 133 bits. */
export const newPassword = (): string =>
  Array.from({ length: 23 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

const product = 'meridian'
/** A shorter name is in too many words to say anything. */
const shortestName = 3

/** The list is large and rarely needed: it is read at the first new password. */
async function isCommon(password: string): Promise<boolean> {
  const { prefixBytes, sha256Prefixes } = (await import('./common-passwords.json')).default
  const prefixes = Buffer.from(sha256Prefixes, 'base64')
  const wanted = createHash('sha256').update(password.toLowerCase()).digest().subarray(0, prefixBytes)
  let low = 0
  let high = prefixes.length / prefixBytes
  while (low < high) {
    const middle = (low + high) >> 1
    const order = prefixes.compare(wanted, 0, prefixBytes, middle * prefixBytes, (middle + 1) * prefixBytes)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle
  }
  return false
}

/** Letters and digits alone: what stands between them hides no name. */
const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

function namesSomebody(password: string, email: string): boolean {
  const name = bare(email.split('@')[0] ?? '')
  const plain = bare(password)
  return plain.includes(product) || (name.length >= shortestName && plain.includes(name))
}

/**
 * Refuses a new password that is guessed early: one of the most common ones, or one with the e-mail's or the product's
 * name in it. How long it must be, its schema says.
 * @throws DomainError password_too_common, password_has_name
 */
export async function requireGoodPassword(password: string, email: string): Promise<void> {
  const normal = password.normalize('NFKC')
  if (namesSomebody(normal, email)) throw new DomainError('password_has_name')
  if (await isCommon(normal)) throw new DomainError('password_too_common')
}
