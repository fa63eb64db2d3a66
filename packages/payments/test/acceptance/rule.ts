import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import type { World } from '../world/world.ts'

/** A test of the API, by its file below `apps/api/test` and its name. */
export type ApiTest = { file: string; name: string }

/** One row of a list of what is expected, checked in the world that its list opens. */
export type Rule<In = World> = {
  number: number
  text: string
  weight: 'fatal' | 'must' | 'should'
  /** Section of the protocol sheet behind it. */
  source: string
  /** What the API adds where this package has only its part in the rule, and what proves that it does. */
  apiAdds?: {
    what: string
    /** Names of tests, by their file below `apps/api/test`. */
    provenBy: Readonly<Record<string, readonly string[]>>
  }
  /** Throws when this package's part in the rule is not held. */
  check: (world: In) => Promise<void>
}

const API_TESTS = new URL('../../../../apps/api/test/', import.meta.url)

/** Throws when the rule is not held, or when the test that the rest of it rests on is gone. */
export async function checkRule<In>({ apiAdds, check }: Rule<In>, world: In): Promise<void> {
  await check(world)
  for (const [file, names] of Object.entries(apiAdds?.provenBy ?? {}))
    for (const name of names) holds(isTest({ file, name }), `no such test: ${file}, "${name}"`)
}

/** Whether the file has a test of this name, or a table of tests; one that is skipped is none. */
export function isTest({ file, name }: ApiTest): boolean {
  const lines = readFileSync(new URL(file, API_TESTS), 'utf8').split('\n')
  return lines.some((line) => {
    const [before = '', after] = line.split(`'${name}'`)
    return after !== undefined && /^\s*(?:(?:test|it)\(|\][\w\s]*\)\()?$/.test(before)
  })
}

export function holds(claim: boolean, otherwise: string): void {
  if (!claim) throw new Error(otherwise)
}

/** The error that a promise ends in; throws when it does not. */
export async function rejectionOf(promise: Promise<unknown>): Promise<object> {
  const outcome = await promise.then(
    () => null,
    (error: unknown) => error,
  )
  if (typeof outcome === 'object' && outcome !== null) return outcome
  throw new Error('nothing was refused')
}

/** What such an error says of itself: reason, advice, code. */
export const refusalOf = async (promise: Promise<unknown>): Promise<Record<string, unknown>> => ({
  ...(await rejectionOf(promise)),
})

/** The error that this ends in; throws when it does not. */
export function errorOf(act: () => unknown): object {
  try {
    act()
  } catch (error) {
    if (typeof error === 'object' && error !== null) return error
  }
  throw new Error('nothing was refused')
}

/** All that a log could take from an error: its words, its stack, its fields, and those of its causes. */
export const everyWordOf = (error: object): string =>
  `${String(error)}\n${inspect(error, { depth: null, showHidden: true, maxStringLength: null })}`

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
