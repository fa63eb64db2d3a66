import { randomBytes } from 'node:crypto'

/** The outside world: the network, the clock and chance. Tests pass their own. */
export type Outside = { fetch: typeof fetch; now: () => Date; nonce: () => string }

/** The real network, the machine's clock and 32 random hexadecimal characters (protocol §1.2). */
export const theRealOutside: Outside = {
  fetch: (input, init) => fetch(input, init),
  now: () => new Date(),
  nonce: () => randomBytes(16).toString('hex'),
}
