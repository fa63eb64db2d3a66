import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'

/** What leads to the database as it is configured. */
export type AddressOptions = {
  /** File of the authorities that sign the server's certificate, PEM; without it those that Node knows. */
  caFile?: string | undefined
  /** The address leads to a pooler that lends a session for one transaction only, such as PgBouncer's transaction mode. */
  isPooled?: boolean
}

/** Marks an address behind a pooler in transaction mode; Prisma's name for the same. */
const pooledParameter = 'pgbouncer'
/** libpq's name of the file of authorities. */
const caFileParameter = 'sslrootcert'

function parse(databaseUrl: string): URL {
  if (!URL.canParse(databaseUrl) || !/^postgres(ql)?:/.test(databaseUrl))
    throw new Error('The database address must be a postgresql:// URL')
  return new URL(databaseUrl)
}

/** The address with what belongs to it, in one word: whoever opens it finds all of it there. */
export function databaseAddress(databaseUrl: string, { caFile, isPooled }: AddressOptions): string {
  const address = parse(databaseUrl)
  if (caFile) address.searchParams.set(caFileParameter, caFile)
  if (isPooled) address.searchParams.set(pooledParameter, 'true')
  return address.href
}

export const tlsModes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'] as const
export type TlsMode = (typeof tlsModes)[number]

/** What the driver would read instead of `sslmode`: `ssl=0` turns off what `verify-full` asks for, `sslcert` drops the authorities. */
const driverWords = ['ssl', 'sslcert', 'sslkey', 'sslnegotiation', 'uselibpqcompat'] as const

/**
 * How an address asks for TLS; null where its `sslmode` is none that we keep, or something else says it too. Without the
 * word there is no TLS. `allow` and `prefer` are not kept: they fall back to plain text without a word.
 */
export function tlsModeOf(databaseUrl: string): TlsMode | null {
  const { searchParams } = parse(databaseUrl)
  if (driverWords.some((word) => searchParams.has(word))) return null
  const mode = searchParams.get('sslmode') ?? 'disable'
  return tlsModes.find((known) => known === mode) ?? null
}

/**
 * libpq's meaning of `sslmode`, but that `require` verifies too: against the file of authorities (the name is not
 * compared then, as libpq does it), or against those that Node knows, and the name.
 */
function tlsOf(mode: TlsMode, caFile: string | null): ConnectionOptions | false {
  if (mode === 'disable') return false
  if (mode === 'no-verify') return { rejectUnauthorized: false }
  const ca = caFile ? { ca: readFileSync(caFile, 'utf8') } : {}
  const isNameFree = mode === 'verify-ca' || (mode === 'require' && caFile)
  return { ...ca, rejectUnauthorized: true, ...(isNameFree && { checkServerIdentity: () => undefined }) }
}

export type OpenedAddress = {
  connectionString: string
  ssl: ConnectionOptions | false
  /** No session outlives a transaction: nothing may be prepared by name, set for a session or listened to. */
  isPooled: boolean
}

/**
 * What the driver needs to know of an address. The driver itself never sees what is said about TLS: it reads `require`
 * as `verify-full` and would put its own reading in the place of ours.
 * @throws Error when it is no postgresql:// URL, its `sslmode` is unknown or its file of authorities cannot be read
 */
export function openAddress(databaseUrl: string): OpenedAddress {
  const mode = tlsModeOf(databaseUrl)
  if (mode === null)
    throw new Error(
      `The database address must ask for TLS by its sslmode alone, one of ${tlsModes.join(', ')}`,
    )
  const address = parse(databaseUrl)
  const { searchParams } = address
  const opened = {
    ssl: tlsOf(mode, searchParams.get(caFileParameter)),
    isPooled: searchParams.get(pooledParameter) === 'true',
  }
  for (const name of ['sslmode', caFileParameter, pooledParameter]) searchParams.delete(name)
  return { connectionString: address.href, ...opened }
}
