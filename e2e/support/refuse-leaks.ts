import type { Running } from './start-process.ts'

const isSecret = ([name]: [string, string]) => /_(SECRET|KEY)$/.test(name)

/**
 * Looks through everything that programs wrote for the secrets of the settings they ran with.
 * @throws Error that names programs and settings, never a value
 */
export function refuseLeaks(programs: readonly Running[], settings: Readonly<Record<string, string>>): void {
  const { password } = new URL(settings['DATABASE_URL'] ?? '')
  const secrets = [...Object.entries(settings).filter(isSecret), ['the database password', password] as const]
  const found = programs.flatMap(({ file, output }) =>
    secrets.filter(([, value]) => output().includes(value)).map(([name]) => `${file} wrote ${name}`),
  )
  if (found.length > 0) throw new Error(`A secret is in a log: ${found.join(', ')}`)
}
