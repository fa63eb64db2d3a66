import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { secrets } from '@meridian/process/read-environment'
import { parseAllDocuments } from 'yaml'
import { checkout, deployFolder } from './config.ts'
import { readCompose } from './read-compose.ts'

const textOf = (file: string) => readFileSync(join(deployFolder, file), 'utf8')
/** The names of a file of `NAME=value` lines, those that are commented out included. */
const namesOf = (text: string) => [...text.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name)

/** What others than our own settings may name: Node's, those of tracing, and the sandbox's. */
const ofOthers = ['NODE_ENV', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'SANDBOX_FOLDER']
/** Every setting that a program of Meridian reads. */
export const knownSettings = (): Set<string> =>
  new Set([
    ...namesOf(readFileSync(join(checkout, '.env.example'), 'utf8')),
    ...ofOthers,
    ...secrets.map((name) => `${name}_FILE`),
  ])

/** A setting and the place where it is given to a program; `value` only where the place holds one. */
export type Given = { place: string; name: string; value: string }

const isOurs = (image: unknown) => typeof image === 'string' && /^(meridian|\$\{MERIDIAN_IMAGE)/.test(image)

const givenByCompose = (file: string): Given[] =>
  Object.entries(readCompose(file).services).flatMap(([service, { image, environment }]) =>
    isOurs(image)
      ? Object.entries(environment).map(([name, value]) => ({
          place: `${file}: ${service}`,
          name,
          value: `${value}`,
        }))
      : [],
  )

const filesBelow = (folder: string, ending: string) =>
  readdirSync(join(deployFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file))
    .sort()

/** Containers of every document below, wherever they stand in it. */
export function containersOf(file: string): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = []
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if ((key === 'containers' || key === 'initContainers') && Array.isArray(inner)) found.push(...inner)
      look(inner)
    }
  }
  for (const document of parseAllDocuments(textOf(file))) look(document.toJS())
  return found
}

export const kubernetesFiles = () => filesBelow('kubernetes', '.yaml')

const givenByContainer = (file: string): Given[] =>
  containersOf(file).flatMap(({ image, env }) =>
    isOurs(image) && Array.isArray(env)
      ? env.map(({ name, value }) => ({ place: file, name: `${name}`, value: `${value}` }))
      : [],
  )

const givenByLines = (file: string, text = textOf(file)): Given[] =>
  [...text.matchAll(/^#? ?(?:Environment=)?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => ({
    place: file,
    name,
    value,
  }))

/** Whatever deploy/ gives a program of Meridian as its environment. */
export const givenSettings = (): Given[] => [
  ...['compose.yaml', 'compose.sandbox.yaml'].flatMap(givenByCompose),
  ...kubernetesFiles().flatMap(givenByContainer),
  ...filesBelow('kubernetes', '.env').flatMap((file) => givenByLines(file)),
  ...['.service', '.conf', '.env'].flatMap((ending) =>
    filesBelow('systemd', ending).flatMap((file) => givenByLines(file)),
  ),
]

/** Variables of a Compose file that an installation sets: `${NAME:-default}`. */
export const composeVariables = (file: string) =>
  [...textOf(file).matchAll(/\$\{([A-Z0-9_]+)(:-[^}]*)?\}/g)].map(([, name = '', fallback]) => ({
    name,
    hasDefault: fallback !== undefined,
  }))

/** What settings.example.env names. */
export const exampleVariables = () => new Set(namesOf(textOf('settings.example.env')))
