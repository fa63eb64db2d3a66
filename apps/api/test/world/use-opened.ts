import { type ClonedDatabase, cloneDatabase } from '@meridian/db/testing'
import { type Platform, startPlatform } from '@meridian/payments/testing'
import { afterAll, beforeAll } from 'vitest'
import { type Console, type NewOperator, signedInConsole } from './console.ts'
import { platformKeys } from './platform-keys.ts'
import { openTestWorld, type TestWorld, type WorldOptions } from './test-world.ts'

/**
 * What a test file opens before its first test, and closes after its last where it can be closed; in tests and hooks it
 * is there. Whatever is opened later is closed earlier.
 * @throws Error when it is used before it is open
 */
export function useOpened<Opened extends object>(open: () => Opened | Promise<Opened>): Opened {
  let opened: Opened | undefined
  const there = () => {
    if (!opened) throw new Error('it is open in tests and hooks only')
    return opened
  }
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(async () => {
    if (!opened || !(Symbol.asyncDispose in opened)) return
    const close = opened[Symbol.asyncDispose]
    if (typeof close === 'function') await close.call(opened)
  })
  return new Proxy<Opened>(Object.create(null), {
    get: (_, key) => Reflect.get(there(), key),
    set: (_, key, value) => Reflect.set(there(), key, value),
    has: (_, key) => Reflect.has(there(), key),
    ownKeys: () => Reflect.ownKeys(there()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(there(), key),
  })
}

/** The world of a test file: a database of its own, the app on a port, the platform. */
export const useTestWorld = (options: WorldOptions | (() => WorldOptions) = {}): TestWorld =>
  useOpened(() => openTestWorld(typeof options === 'function' ? options() : options))

/** The console of a new operator, signed in; of a role alone, of `<role>@example.com`. */
export const useConsole = (world: TestWorld, who: NewOperator | NonNullable<NewOperator['role']>): Console =>
  useOpened(async () => {
    const operator = typeof who === 'string' ? { email: `${who}@example.com`, role: who } : who
    return (await signedInConsole(world, operator)).console
  })

/** The platform of a test file that starts its programs itself. */
export const usePlatform = (): Platform =>
  useOpened(async () => {
    const platform = await startPlatform({ keys: platformKeys() })
    return Object.assign(platform, { [Symbol.asyncDispose]: () => platform.stop() })
  })

/** A database of its own for such a file. */
export const useDatabase = (): ClonedDatabase => useOpened(() => cloneDatabase())
