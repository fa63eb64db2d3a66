import { isProxyNetwork } from '@meridian/contracts/addresses'
import { readEnvironment, withoutConsequences } from '@meridian/process/read-environment'
import { z } from 'zod'
import { readAlertConfig } from './config/alert-settings.ts'
import { DatabaseSettings, databaseOf } from './config/database-settings.ts'
import { readIdentityConfig } from './config/identity-settings.ts'
import { officialApiUrl, type PlatformKind, readPaymentConfig } from './config/payment-settings.ts'
import { readTraceConfig } from './config/trace-settings.ts'
import { readVirtualConfig } from './config/virtual-settings.ts'
import type { Secrets } from './platform/crypto/seal.ts'

const isLoopback = (hostname: string) => ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)

/** Several while one is being rotated, newest first. */
const secrets = z.string('is required').transform((text, context): Secrets => {
  const [newest = '', ...older] = text.split(',').map((part) => part.trim())
  if ([newest, ...older].some((part) => Buffer.byteLength(part) < 32))
    context.addIssue('must have at least 32 bytes, each of them where there are several')
  return [newest, ...older]
})
const port = (fallback: number) => z.coerce.number().int().min(0).max(65535).default(fallback)
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true })
const isSecure = (address: string) => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || isLoopback(hostname)
}
const secureUrl = httpUrl.refine(isSecure, 'must be https (http only for loopback)')

const limitNames = [
  'login',
  'purchase',
  'sync',
  'bind',
  'reports',
  'user',
  'anonymous',
  'integration',
] as const
export type LimitName = (typeof limitNames)[number]
export type RateLimits = Readonly<Record<LimitName, number>>

const defaultLimits: RateLimits = {
  login: 120,
  purchase: 10,
  sync: 30,
  bind: 10,
  reports: 20,
  user: 300,
  anonymous: 600,
  integration: 600,
}

const isLimitName = (name: string): name is LimitName => limitNames.some((known) => known === name)

const rateLimits = z
  .string()
  .default('')
  .transform((text, context): RateLimits => {
    const limits = { ...defaultLimits }
    for (const pair of text.split(',').filter(Boolean)) {
      const [name = '', count = ''] = pair.split('=').map((part) => part.trim())
      if (isLimitName(name) && /^\d{1,9}$/.test(count)) limits[name] = Number(count)
      else context.addIssue(`must be name=count pairs of ${limitNames.join(', ')}`)
    }
    return limits
  })

const proxies = z
  .string()
  .optional()
  .transform(
    (text) =>
      text
        ?.split(',')
        .map((cidr) => cidr.trim())
        .filter(Boolean) ?? [],
  )
  .refine((cidrs) => cidrs.every(isProxyNetwork), 'must be comma-separated CIDRs')

const consoleAddress = httpUrl.default('http://127.0.0.1:3000')

const Environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  ...DatabaseSettings.shape,
  HOST: z.string().default('0.0.0.0'),
  PORT: port(4000),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: port(9464),
  CONSOLE_URL: consoleAddress,
  JWT_SECRET: secrets,
  AUTH_SECRET: secrets,
  DATA_KEY: secrets,
  WECHAT_APP_ID: z.string().optional(),
  WECHAT_APP_SECRET: z.string().optional(),
  WECHAT_API_BASE_URL: secureUrl.default(officialApiUrl),
  RATE_LIMITS: rateLimits,
  TRUST_PROXY: proxies,
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// address' }).optional(),
  ERASURE_LIST_FILE: z.string().optional(),
  PROFILE_DIR: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  MERIDIAN_ROLE: z.enum(['api', 'worker', 'all']).default('all'),
  PAYMENT_GROUP_SIZE: z.coerce.number().int().min(1).max(256).default(32),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(600).default(5),
  /** Which release runs, as the release says it of itself. */
  MERIDIAN_VERSION: z.string().default('checkout'),
  MERIDIAN_COMMIT: z.string().default('unknown'),
})

/** Wrong or missing settings: one line per problem, naming the variable, never its value. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

const lineOf = (issue: z.core.$ZodIssue): string => {
  const missing = issue.code === 'invalid_type' && issue.input === undefined
  return `${issue.path.join('.')}: ${missing ? 'is required' : issue.message}`
}

/** Operators' passwords and codes pass at this address: where the money is real, never unencrypted (ASVS 12.2.1). */
const consoleProblem = (consoleUrl: string, platform: PlatformKind): string | null =>
  platform === 'official' && !isSecure(consoleUrl)
    ? 'CONSOLE_URL: must be https where the payment platform is the official one (http only for loopback)'
    : null

/** One of the two channels at a sandbox makes the installation one; what is official on neither is off. */
const platformOf = (platforms: readonly PlatformKind[]): PlatformKind =>
  (['sandbox', 'official'] as const).find((kind) => platforms.includes(kind)) ?? 'off'

export type Config = ReturnType<typeof readConfig>

/**
 * Reads every setting of the API once, at start.
 * @throws ConfigError with one line per problem.
 */
export function readConfig(source: NodeJS.ProcessEnv) {
  const { environment, problems: unread } = readEnvironment(source)
  const parsed = Environment.safeParse(environment, { reportInput: true })
  const payments = readPaymentConfig(environment)
  const { alerts, problems: alertProblems } = readAlertConfig(environment)
  const traces = readTraceConfig(environment)
  const virtual = readVirtualConfig(environment, { hasPayments: payments.settings !== null })
  const consoleUrl = consoleAddress.safeParse(environment['CONSOLE_URL']).data ?? ''
  const identity = readIdentityConfig(environment, { isSecure, consoleUrl })
  const platform = platformOf([payments.platform, virtual.platform])
  const database = databaseOf(environment, { runsJobs: environment['MERIDIAN_ROLE'] !== 'api' })
  const problems = [
    ...unread,
    ...(parsed.success ? [] : parsed.error.issues.map(lineOf)),
    ...database.problems,
    ...payments.problems,
    ...virtual.problems,
    ...alertProblems,
    ...traces.problems,
    ...identity.problems,
  ]
  const payAppId = payments.settings?.appId
  if (parsed.success && payAppId && parsed.data.WECHAT_APP_ID && parsed.data.WECHAT_APP_ID !== payAppId)
    problems.push('WECHAT_APP_ID: must equal WECHAT_PAY_APP_ID')
  const insecure =
    parsed.success &&
    consoleProblem(parsed.data.CONSOLE_URL, payments.platform === 'official' ? payments.platform : platform)
  if (insecure) problems.push(insecure)
  if (!parsed.success || problems.length > 0)
    throw new ConfigError([...new Set(withoutConsequences(problems))])
  const env = parsed.data
  const loginAppId = env.WECHAT_APP_ID ?? payAppId
  const login =
    loginAppId && env.WECHAT_APP_SECRET
      ? { appId: loginAppId, appSecret: env.WECHAT_APP_SECRET, baseUrl: env.WECHAT_API_BASE_URL }
      : null
  return Object.freeze({
    ...env,
    database: database.addresses,
    login,
    alerts,
    payments: payments.settings,
    virtual: virtual.settings,
    platform,
    traces: traces.settings,
    identity: identity.settings,
  })
}

function readSome<Shape extends z.ZodType>(shape: Shape, source: NodeJS.ProcessEnv): z.infer<Shape> {
  const { environment, problems } = readEnvironment(source)
  const parsed = shape.safeParse(environment, { reportInput: true })
  const found = [...problems, ...(parsed.success ? [] : parsed.error.issues.map(lineOf))]
  if (!parsed.success || found.length > 0) throw new ConfigError(withoutConsequences(found))
  return parsed.data
}

/** A command works by itself and may need a session: past the pooler, where its own address is known. */
function readCommandUrl(source: NodeJS.ProcessEnv, needs: { session: boolean }): string {
  readSome(DatabaseSettings, source)
  const { addresses, problems } = databaseOf(readEnvironment(source).environment, { runsJobs: needs.session })
  if (problems.length > 0) throw new ConfigError(problems)
  return addresses.direct
}

/**
 * Reads the one setting that commands need.
 * @throws ConfigError
 */
export const readDatabaseUrl = (source: NodeJS.ProcessEnv): string =>
  readCommandUrl(source, { session: false })

/**
 * Reads where to migrate: never through a pooler that lends sessions by the transaction.
 * @throws ConfigError
 */
export const readMigrationUrl = (source: NodeJS.ProcessEnv): string =>
  readCommandUrl(source, { session: true })

/**
 * Reads what it takes to seal everything again.
 * @throws ConfigError
 */
export function readDataKeys(source: NodeJS.ProcessEnv): { databaseUrl: string; dataKeys: Secrets } {
  const { DATA_KEY } = readSome(DatabaseSettings.extend({ DATA_KEY: secrets }), source)
  return { databaseUrl: readDatabaseUrl(source), dataKeys: DATA_KEY }
}

/**
 * Reads what it takes to erase again whom a backup brought back.
 * @throws ConfigError
 */
export function readErasureSettings(source: NodeJS.ProcessEnv): { databaseUrl: string; file: string } {
  const settings = DatabaseSettings.extend({ ERASURE_LIST_FILE: z.string('is required') })
  const { ERASURE_LIST_FILE } = readSome(settings, source)
  return { databaseUrl: readDatabaseUrl(source), file: ERASURE_LIST_FILE }
}
