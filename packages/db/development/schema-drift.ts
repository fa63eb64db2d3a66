import type { DiffTarget } from '@prisma/schema-engine-wasm'
import type { Catalogue } from './read-catalogue.ts'
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

/**
 * Compares what the migrations built with what the Prisma schema builds. Only the objects listed as hand-written may,
 * and each of them must, be in the migrations alone. Answers one line per difference; none means no drift.
 */
export function findDrift(
  databases: { migrated: Catalogue; fromSchema: Catalogue },
  handWritten: readonly string[],
): string[] {
  const { migrated, fromSchema } = databases
  const allowed = new Set(handWritten)
  return [
    ...[...fromSchema].flatMap(([name, wanted]) => compare(name, { wanted, found: migrated.get(name) })),
    ...[...migrated.keys()]
      .filter((name) => !fromSchema.has(name) && !allowed.has(name))
      .map((name) => `${name}: in the migrations, neither in the Prisma schema nor listed as hand-written`),
    ...handWritten
      .filter((name) => !migrated.has(name))
      .map((name) => `${name}: listed as hand-written, not in the migrations`),
    ...handWritten
      .filter((name) => fromSchema.has(name))
      .map((name) => `${name}: listed as hand-written, but in the Prisma schema`),
  ]
}

function compare(name: string, { wanted, found }: { wanted: string; found: string | undefined }): string[] {
  if (found === undefined) return [`${name}: in the Prisma schema, not in the migrations`]
  return found === wanted
    ? []
    : [`${name}: the Prisma schema says "${wanted}", the migrations say "${found}"`]
}
