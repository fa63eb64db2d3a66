import { PrismaPg } from '@prisma/adapter-pg'
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils'
import pg from 'pg'

// PostgreSQL's numbers of timestamptz and timestamptz[].
const instants: ReadonlySet<number> = new Set([1184, 1185])

/** The text of an instant in UTC, as Prisma reads it; an array of them part by part. */
function toText(instant: unknown): unknown {
  if (Array.isArray(instant)) return instant.map(toText)
  if (instant instanceof Date) return instant.toISOString()
  return typeof instant === 'number' ? String(instant).toLowerCase() : instant
}

/** The driver's parsers honour the offset that the server wrote; those of Prisma's adapter cut it off. */
const withOffsets = (types: pg.CustomTypesConfig = pg.types): pg.CustomTypesConfig => ({
  getTypeParser: (type, format) => {
    if (!instants.has(type)) return types.getTypeParser(type, format)
    const parse = pg.types.getTypeParser(type, format)
    return (text: string) => toText(parse(text))
  },
})

/** The same connections; what is read through them by the adapter is read by its offset. */
function readOffsets<Source extends pg.Pool | pg.PoolClient>(source: Source): Source {
  const query = (asked: string | pg.QueryConfig) =>
    source.query(typeof asked === 'string' ? asked : { ...asked, types: withOffsets(asked.types) })
  const connect = async () => (source instanceof pg.Pool ? readOffsets(await source.connect()) : undefined)
  const own: Readonly<Record<string | symbol, unknown>> = { query, connect }
  return new Proxy(source, {
    get: (target, property) => (Object.hasOwn(own, property) ? own[property] : Reflect.get(target, property)),
  })
}

type ArgType = SqlQuery['argTypes'][number]

/** What the adapter itself cuts out of an instant: it has no zone. */
const zoneless: ReadonlySet<string | undefined> = new Set(['DATE', 'TIME', 'TIMETZ'])

const isInstant = ({ scalarType, dbType }: ArgType) => scalarType === 'datetime' && !zoneless.has(dbType)

function writeZone(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writeZone)
  return typeof value === 'string' || value instanceof Date ? new Date(value).toISOString() : value
}

/** Instants become text that ends in Z and is called a string: text goes out as it is. */
function writeZones({ sql, args, argTypes }: SqlQuery): SqlQuery {
  const instants = argTypes.map(isInstant)
  return {
    sql,
    args: args.map((arg, at) => (instants[at] ? writeZone(arg) : arg)),
    argTypes: argTypes.map((type, at) => (instants[at] ? { ...type, scalarType: 'string' } : type)),
  }
}

/** The same object, whose statements carry zones. */
function sendZones<Queryable extends SqlQueryable>(
  queryable: Queryable,
  more: Partial<Queryable> = {},
): Queryable {
  return Object.assign(Object.create(queryable), {
    queryRaw: (query: SqlQuery) => queryable.queryRaw(writeZones(query)),
    executeRaw: (query: SqlQuery) => queryable.executeRaw(writeZones(query)),
    ...more,
  })
}

/**
 * Prisma's adapter over this pool, right whatever time zone its sessions speak: a pooler in transaction mode lends each
 * statement another session, and none can be told to speak UTC.
 */
export function zonedAdapter(
  pool: pg.Pool,
  options: ConstructorParameters<typeof PrismaPg>[1],
): SqlDriverAdapterFactory {
  const factory = new PrismaPg(readOffsets(pool), options)
  const zoned = (adapter: SqlDriverAdapter): SqlDriverAdapter => {
    const startTransaction = async (
      level?: Parameters<SqlDriverAdapter['startTransaction']>[0],
    ): Promise<Transaction> => sendZones(await adapter.startTransaction(level))
    return sendZones(adapter, { startTransaction })
  }
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => zoned(await factory.connect()),
  }
}
