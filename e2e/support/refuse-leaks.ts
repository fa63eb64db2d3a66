import type { Running } from './start-process.ts'

const isSecret = ([name]: [string, string]) => /_(SECRET|KEY)$/.test(name)
/** A database of somebody’s own may have none, or a word that is found anywhere. */
const isTelling = (value: string) => value.length >= 12

/**
 * Looks through everything that programs wrote for the secrets of the settings they ran with.
 * @throws Error that names programs and settings, never a value
 */
export function refuseLeaks(programs: readonly Running[], settings: Readonly<Record<string, string>>): void {
  const { password } = new URL(settings['DATABASE_URL'] ?? '')
  const secrets = [
    ...Object.entries(settings).filter(isSecret),
    ['the database password', password] as const,
  ].filter(([, value]) => isTelling(value))
  const found = programs.flatMap(({ file, output }) =>
    secrets.filter(([, value]) => output().includes(value)).map(([name]) => `${file} wrote ${name}`),
  )
  if (found.length > 0) throw new Error(`A secret is in a log: ${found.join(', ')}`)
}
