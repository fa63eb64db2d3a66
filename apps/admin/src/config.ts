import { isProxyNetwork } from '@meridian/contracts/addresses'
import { readEnvironment, withoutConsequences } from '@meridian/process/read-environment'
import { z } from 'zod'

const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true })
  .refine(
    (value) => URL.canParse(value) && new URL(value).pathname === '/',
    'must be an address without a path',
  )
  .transform((value) => new URL(value).origin)

const port = (fallback: number) =>
  z.coerce
    .number({ error: 'must be a port number' })
    .int('must be a port number')
    .min(0, 'must be a port number')
    .max(65_535, 'must be a port number')
    .default(fallback)

const networks = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine(
    (parts) => parts.every(isProxyNetwork),
    'must be addresses or CIDRs, separated by commas, and never all of the internet',
  )

/** Several while one is being rotated, newest first. */
const secrets = z.string({ error: 'is required' }).transform((text, context): AuthSecrets => {
  const [newest = '', ...older] = text.split(',').map((part) => part.trim())
  if ([newest, ...older].some((part) => Buffer.byteLength(part) < 32))
    context.addIssue('must have 32 bytes or more, each of them where there are several')
  return [newest, ...older]
})

const Environment = z.object({
  API_URL: origin.default('http://127.0.0.1:4000'),
  CONSOLE_URL: origin.default('http://127.0.0.1:3000'),
  AUTH_SECRET: secrets,
  ADMIN_PORT: port(3000),
  HOST: z.string().default('0.0.0.0'),
  ADMIN_METRICS_PORT: port(9465),
  METRICS_HOST: z.string().default('127.0.0.1'),
  TRUST_PROXY: networks.default([]),
  DRAIN_SECONDS: z.coerce
    .number({ error: 'must be seconds' })
    .int('must be seconds')
    .min(0, 'must be seconds')
    .max(600, 'must be 600 seconds or less')
    .default(5),
  MERIDIAN_VERSION: z.string().default('checkout'),
  MERIDIAN_COMMIT: z.string().default('unknown'),
})

/** The first signs, any of them is believed. */
export type AuthSecrets = readonly [string, ...string[]]

export type Config = {
  apiUrl: string
  consoleUrl: string
  authSecrets: AuthSecrets
  port: number
  host: string
  metrics: { port: number; host: string }
  trustedProxies: readonly string[]
  /** How long it still takes requests after it has said that it wants no more. */
  drainSeconds: number
  build: Build
}

/** What runs, as a release says it of itself. */
export type Build = { version: string; commit: string }

/** The settings are not usable: `problems` has one line for each, naming the variable and never its value. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Reads the console's settings. Throws `ConfigError`. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const { environment: set, problems } = readEnvironment(environment)
  const parsed = Environment.safeParse(set)
  if (!parsed.success || problems.length > 0) {
    const issues = parsed.error?.issues ?? []
    const found = issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
    throw new ConfigError(withoutConsequences([...problems, ...found]))
  }
  return {
    apiUrl: parsed.data.API_URL,
    consoleUrl: parsed.data.CONSOLE_URL,
    authSecrets: parsed.data.AUTH_SECRET,
    port: parsed.data.ADMIN_PORT,
    host: parsed.data.HOST,
    metrics: { port: parsed.data.ADMIN_METRICS_PORT, host: parsed.data.METRICS_HOST },
    trustedProxies: parsed.data.TRUST_PROXY,
    drainSeconds: parsed.data.DRAIN_SECONDS,
    build: { version: parsed.data.MERIDIAN_VERSION, commit: parsed.data.MERIDIAN_COMMIT },
  }
}

let current: Config | undefined

/** The settings of this process, read at the first call: a build therefore needs none. */
export function config(): Config {
  if (!current) {
    current = readConfig(process.env)
    // next-auth takes its own address from the environment alone.
    process.env['NEXTAUTH_URL'] = current.consoleUrl
  }
  return current
}
