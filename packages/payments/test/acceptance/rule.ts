import type { World } from '../world/world.ts'

export type Rule = {
  number: number
  text: string
  weight: 'fatal' | 'must' | 'should'
  /** Section of the protocol sheet behind it. */
  source: string
  /** What the API adds where this package has only its part in the rule. */
  apiAdds?: string
  /** Throws when the rule is not held. */
  check: (world: World) => Promise<void>
}

export function holds(claim: boolean, otherwise: string): void {
  if (!claim) throw new Error(otherwise)
}

/** The error that a promise ends in; throws when it does not. */
export async function refusalOf(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  const outcome = await promise.then(
    () => null,
    (error: unknown) => error,
  )
  if (typeof outcome === 'object' && outcome !== null) return { ...outcome }
  throw new Error('nothing was refused')
}

/** The reason that reading is refused for; null when it is not. */
export function reasonOf(read: () => unknown): string | null {
  try {
    read()
    return null
  } catch (error) {
    return typeof error === 'object' && error !== null && 'reason' in error
      ? String(error.reason)
      : 'another error'
  }
}
