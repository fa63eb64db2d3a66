import { readFileSync } from 'node:fs'

/** The settings that hold a secret, each of which may be given as a file instead: `JWT_SECRET_FILE` for `JWT_SECRET`. */
export const secrets = [
  'JWT_SECRET',
  'AUTH_SECRET',
  'DATA_KEY',
  'WECHAT_APP_SECRET',
  'WECHAT_PAY_API_V3_KEY',
  'WECHAT_VIRTUAL_APP_KEY',
  'WECHAT_PUSH_TOKEN',
  'WECHAT_PUSH_AES_KEY',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'ALERT_CHANNELS',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OIDC_CLIENT_SECRET',
] as const

type Values = Readonly<Record<string, string>>

/** What a program was given, and one line for each setting that cannot be read, naming it and never its value. */
export type GivenEnvironment = { environment: Values; problems: readonly string[] }

const reasonOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unreadable'

/** Empty files count as unset, as empty values do; of a value in a file one newline at its end is cut off. */
function readSecret(name: string, given: Values): { value?: string; problem?: string } {
  const file = given[`${name}_FILE`]
  if (file === undefined) return {}
  if (given[name] !== undefined) return { problem: `${name}: is set twice, also by ${name}_FILE` }
  try {
    const value = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    return value.trim() ? { value } : {}
  } catch (error) {
    return { problem: `${name}_FILE: cannot be read (${reasonOf(error)})` }
  }
}

/**
 * The settings of a program: an empty value counts as unset, and each secret may be in a file that `…_FILE` names
 * (SPEC §18). Files are read once.
 */
export function readEnvironment(source: Readonly<Record<string, string | undefined>>): GivenEnvironment {
  const given = Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value]] : [])),
  )
  const problems: string[] = []
  const environment = { ...given }
  for (const name of secrets) {
    const { value, problem } = readSecret(name, given)
    if (problem) problems.push(problem)
    if (value !== undefined) environment[name] = value
  }
  return { environment, problems }
}

/**
 * Of the problems of a program's settings those that have a cause of their own: a secret whose file cannot be read is not
 * missing as well.
 */
export function withoutConsequences(problems: readonly string[]): string[] {
  const unread = problems.flatMap((problem) => /^(\w+)_FILE: cannot be read/.exec(problem)?.[1] ?? [])
  return problems.filter(
    (problem) => !unread.some((name) => new RegExp(`^${name}:? is required`).test(problem)),
  )
}
