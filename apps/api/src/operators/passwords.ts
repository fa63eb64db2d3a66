import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { openAllowance } from '../platform/limits/allowance.ts'

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

const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password a person can type: 23 characters without look-alikes, about 133 bits. */
export const newPassword = (): string =>
  Array.from({ length: 23 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
