import type { Services } from '../services.ts'
import { adoptSharedKeys, askForKeys } from './share-keys.ts'

const lookEveryMs = 15_000

export type FreshKeys = {
  /** A message named a key that is not in the ring: the platform's repeat shall find it. */
  missed: () => void
  stop: () => void
}

/**
 * Where keys are downloaded, keeps this process's ring in step with what any replica downloaded. A stranger's serial
 * costs at most one small statement a minute: this process waits as long as the shared minute still lasts, no longer.
 */
export function keepKeysFresh({ payments, database, log }: Services): FreshKeys {
  if (!payments?.keyReport().downloadKeys) return { missed: () => undefined, stop: () => undefined }
  const { pool } = database
  let nextAskAt = Number.NEGATIVE_INFINITY
  let asking = false
  const quietly = (work: () => Promise<unknown>) => {
    work().catch((error: unknown) =>
      log.warn({ reason: String(error) }, 'platform keys could not be refreshed'),
    )
  }
  const ask = () => {
    if (asking || performance.now() < nextAskAt) return
    asking = true
    quietly(async () => {
      try {
        nextAskAt = performance.now() + (await askForKeys(pool))
      } finally {
        asking = false
      }
    })
  }
  const look = () => quietly(() => adoptSharedKeys(pool, payments))
  look()
  if (payments.keyReport().keys.length === 0) ask()
  const timer = setInterval(look, lookEveryMs)
  return { missed: ask, stop: () => clearInterval(timer) }
}
