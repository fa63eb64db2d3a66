import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import { openPool } from '../src/open-pool.ts'

// Node has it, its types do not.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>
}

const engineModule = '@prisma/schema-engine-wasm/schema_engine_bg'
export const noFilter = { externalTables: [], externalEnums: [] }

/**
 * Lends Prisma's schema engine, from npm instead of a download, connected through node-postgres. For whoever writes
 * migrations and for tests: what ships applies them without it.
 * @throws Error when the server cannot be reached, or what the work throws
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const { SchemaEngine } = await loadEngine()
  // One connection, because the engine keeps its own lock in a session.
  const pool = openPool(databaseUrl, {
    applicationName: 'meridian-schema-engine',
    maxConnections: 1,
  })
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool))
    const engine = await SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter)
    try {
      return await work(engine)
    } finally {
      engine.free()
    }
  } finally {
    await pool.end()
  }
}

let loading: Promise<typeof import('@prisma/schema-engine-wasm/schema_engine_bg')> | undefined

function loadEngine() {
  loading ??= instantiateEngine()
  return loading
}

async function instantiateEngine() {
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const javascript = createRequire(import.meta.url).resolve(engineModule)
  const bytes = await readFile(javascript.replace(/\.js$/, '.wasm'))
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': { ...bindings } })
  bindings.__wbg_set_wasm(instance.exports)
  const start = instance.exports['__wbindgen_start']
  if (typeof start !== 'function') throw new Error('The schema engine has no start function: wrong version?')
  start()
  return bindings
}
