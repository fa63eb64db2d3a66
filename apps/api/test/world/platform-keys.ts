import type { PlatformKeys } from '@meridian/payments/testing'

const variable = 'MERIDIAN_TEST_PLATFORM_KEYS'

/** Made once for all files: making keys costs more than all the rest of a world. */
export function keepPlatformKeys(keys: PlatformKeys): void {
  process.env[variable] = JSON.stringify(keys)
}

/** The keys of this run's platforms, a copy of one's own: a platform that rotates changes only its own. */
export function platformKeys(): PlatformKeys {
  const kept = process.env[variable]
  if (kept === undefined) throw new Error('The global set-up has made no keys')
  return JSON.parse(kept)
}
