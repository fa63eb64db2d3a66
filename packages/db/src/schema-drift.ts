import type { DiffTarget } from '@prisma/schema-engine-wasm'
import { noFilter, withSchemaEngine } from './schema-engine.ts'

/**
 * The SQL that leads from one Prisma schema (its text; null is an empty database) to another.
 * The engine wants a reachable server even though it reads nothing from it.
 */
export function diffSchemas(
  databaseUrl: string,
  schemas: { from: string | null; to: string },
): Promise<string> {
  return withSchemaEngine(databaseUrl, async (engine) => {
    const [from, to] = [datamodel(schemas.from), datamodel(schemas.to)]
    const answer = await engine.diff({ from, to, script: true, exitCode: null, filters: noFilter })
    return answer.stdout ?? ''
  })
}

function datamodel(content: string | null): DiffTarget {
  if (content === null) return { tag: 'empty' }
  return { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }] }
}
