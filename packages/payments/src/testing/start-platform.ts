import type { PlatformKeys } from './platform-keys.ts'
import type { Platform, PlatformCore, PlatformOptions } from './platform-types.ts'

export function generatePlatformKeys(): PlatformKeys {
  throw new Error('being built')
}

export function createPlatform(options: PlatformOptions = {}): PlatformCore {
  throw new Error(`being built: ${options.keyMode}`)
}

export async function startPlatform(
  options: PlatformOptions & { port?: number; host?: string } = {},
): Promise<Platform> {
  throw new Error(`being built: ${options.keyMode}`)
}
