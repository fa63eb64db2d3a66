import { existsSync } from 'node:fs'
import { secretsFile } from './keep-secrets.mjs'
import { planStart, sandboxSettings } from './plan-start.mjs'
import { builtFiles } from './program-files.mjs'
import { readSettings, readSettingsFile } from './read-settings.mjs'

/**
 * The settings with which `npm start` runs the API of this checkout, its own secrets and its sandbox among them; those of
 * the environment alone where it never ran here.
 */
export function settingsOfStart() {
  const given = readSettings()
  if (!existsSync(secretsFile)) return given
  const { settings, sandbox } = planStart(readSettingsFile(secretsFile), {
    files: builtFiles,
    environment: 'production',
    prepare: async () => undefined,
  })
  return { ...settings, ...(sandbox === null ? {} : sandboxSettings(sandbox)), ...given }
}
