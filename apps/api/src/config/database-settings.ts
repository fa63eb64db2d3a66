import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { databaseAddress, tlsModeOf, tlsModes } from '@meridian/db'
import { z } from 'zod'

const address = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' })

/** Fewer would leave a kind of work without a connection; more is a mistake in nearly every PostgreSQL. */
const poolSize = { least: 6, most: 200 } as const

/** How the database is reached (SPEC §18). */
export const DatabaseSettings = z.object({
  DATABASE_URL: address,
  DATABASE_DIRECT_URL: address.optional(),
  DATABASE_READ_URL: address.optional(),
  DATABASE_POOLING: z.enum(['session', 'transaction'], 'must be session or transaction').default('session'),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(poolSize.least).max(poolSize.most).default(10),
  DATABASE_CA_FILE: z.string().optional(),
})

/** Where the database is, each address with the authorities of its certificate and what its sessions can do. */
export type DatabaseAddresses = {
  url: string
  /** For whoever needs a session: jobs, which listen, and migrations. */
  direct: string
  /** A standby to read from; null where there is none. */
  read: string | null
}

type Environment = Readonly<Record<string, string>>
type Need = { runsJobs: boolean }

const urls = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const

/** Node takes a file without a certificate for no authority at all, and then trusts nobody. */
function caProblem(file: string | undefined): string[] {
  if (file === undefined) return []
  const content = contentOf(file)
  if (content === null) return ['DATABASE_CA_FILE: cannot be read']
  return isCertificate(content) ? [] : ['DATABASE_CA_FILE: does not hold certificates as PEM']
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}

/** What is no such address at all is told by its setting. */
const isPostgres = (url: string) => URL.canParse(url) && /^postgres(ql)?:/.test(url)

const tlsProblems = (environment: Environment): string[] =>
  urls.flatMap((name) => {
    const url = environment[name]
    return url && isPostgres(url) && tlsModeOf(url) === null
      ? [`${name}: must ask for TLS by its sslmode alone, one of ${tlsModes.join(', ')}`]
      : []
  })

/**
 * The addresses of the database. With `DATABASE_POOLING=transaction` the ordinary ones lead through a pooler that lends
 * a session for one transaction; whoever needs more must be given `DATABASE_DIRECT_URL`.
 */
export function databaseOf(
  environment: Environment,
  { runsJobs }: Need,
): { addresses: DatabaseAddresses; problems: string[] } {
  const { DATABASE_URL = '', DATABASE_DIRECT_URL, DATABASE_READ_URL, DATABASE_CA_FILE: caFile } = environment
  const isPooled = environment['DATABASE_POOLING'] === 'transaction'
  const problems = [...caProblem(caFile), ...tlsProblems(environment)]
  if (isPooled && runsJobs && !DATABASE_DIRECT_URL)
    problems.push(
      'DATABASE_DIRECT_URL: is required with DATABASE_POOLING=transaction for jobs and migrations',
    )
  // One of them watches the primary, so that the replica takes its place in time.
  const readsReplica = DATABASE_READ_URL && environment['MERIDIAN_ROLE'] !== 'worker'
  if (readsReplica && Number(environment['DATABASE_POOL_SIZE']) === poolSize.least)
    problems.push(`DATABASE_POOL_SIZE: must be over ${poolSize.least} with DATABASE_READ_URL`)
  const through = (url: string, pooled: boolean) =>
    /^postgres(ql)?:/.test(url) && URL.canParse(url)
      ? databaseAddress(url, { caFile, isPooled: pooled })
      : url
  const url = through(DATABASE_URL, isPooled)
  return {
    addresses: {
      url,
      direct: DATABASE_DIRECT_URL ? through(DATABASE_DIRECT_URL, false) : url,
      read: DATABASE_READ_URL ? through(DATABASE_READ_URL, isPooled) : null,
    },
    problems,
  }
}
