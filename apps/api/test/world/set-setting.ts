import type { SettingKey } from '@meridian/contracts'
import type { TestWorld } from './test-world.ts'

/** Writes a setting as it stands, past who may change it and whom it needs for that. */
export const setSetting = (world: Pick<TestWorld, 'query'>, key: SettingKey, value: unknown) =>
  world.query('UPDATE settings SET value = $2::jsonb WHERE key = $1', [key, JSON.stringify(value)])
