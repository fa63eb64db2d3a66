import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** argon2id with the parameters that OWASP's password sheet names. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost)

export const isPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password)

const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password a person can type: 20 characters without look-alikes, about 116 bits. */
export const newPassword = (): string =>
  Array.from({ length: 20 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
