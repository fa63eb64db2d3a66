import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { checkout, deployFolder } from './config.ts'
import { askProgram, runToEnd } from './run-program.ts'

const Resource = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
})
/** What Kustomize renders: an object for the API of a cluster. */
export type Resource = z.infer<typeof Resource>

/** The resources of a YAML text. @throws where one is none, or a key stands twice */
export const readResources = (yaml: string): Resource[] =>
  parseAllDocuments(yaml).map((document) => {
    const [fault] = document.errors
    if (fault) throw fault
    return Resource.parse(document.toJS())
  })

/** A folder of deploy/kubernetes as `kubectl apply -k` would send it. */
export const renderKustomization = async (folder: string): Promise<Resource[]> =>
  readResources(await askProgram(['kubectl', 'kustomize', join(deployFolder, 'kubernetes', folder)]))

/** Which npm package knows a group of the Kubernetes API, by the end of the group's name. */
const modelPackages = [
  { group: 'cnpg.io', name: '@kubernetes-models/cloudnative-pg' },
  { group: 'monitoring.coreos.com', name: '@kubernetes-models/prometheus-operator' },
]

function modelOf({ apiVersion, kind }: Resource) {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  const found = modelPackages.find(({ group: end }) => group === end || group.endsWith(`.${end}`))
  return { module: `${found?.name ?? 'kubernetes-models'}/${apiVersion}/${kind}`, kind }
}

/** One line per fault against the schema of the resource's kind: wrong types, missing fields, unknown words. */
async function faultsOfValues(resource: Resource): Promise<string[]> {
  const { module, kind } = modelOf(resource)
  try {
    const Model: unknown = Reflect.get(await import(module), kind)
    const model: unknown = typeof Model === 'function' ? Reflect.construct(Model, [resource]) : null
    const validate: unknown = model === null ? null : Reflect.get(Object(model), 'validate')
    if (typeof validate !== 'function') return [`${module} is no model`]
    Reflect.apply(validate, model, [])
    return []
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [`${resource.kind} ${resource.metadata.name}: ${reason}`]
  }
}

/**
 * Fields that a kind does not have, which a cluster would drop without a word: the schemas allow them, the types of the same
 * packages do not, so the compiler is asked about the resources as literals.
 */
async function faultsOfFields(resources: readonly Resource[]): Promise<string[]> {
  const folder = join(checkout, 'node_modules/.cache/deploy-checks')
  const file = join(folder, `resources-${process.pid}.ts`)
  const lines = resources.map((resource) => {
    const { module, kind } = modelOf(resource)
    return `void (${JSON.stringify(resource)} satisfies import('${module}').I${kind})\n`
  })
  await mkdir(folder, { recursive: true })
  await writeFile(file, `export {}\n${lines.join('')}`)
  try {
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', 'node']
    const compiler = join(checkout, 'node_modules/typescript-native/bin/tsc')
    const { code, stdout } = await runToEnd([process.execPath, compiler, ...options, file])
    if (code === 0) return []
    return stdout
      .trim()
      .split('\n')
      .map((line) => {
        const { kind, metadata } = resources[Number(/\((\d+),/.exec(line)?.[1]) - 2] ?? {}
        return `${kind} ${metadata?.name}: ${line.replace(/^.*?: error /, '')}`
      })
  } finally {
    await rm(file)
  }
}

/** @throws Error with one line per fault, against the schemas and types of the Kubernetes API and its two operators */
export async function checkResources(resources: readonly Resource[]): Promise<void> {
  const values = await Promise.all(resources.map(faultsOfValues))
  const faults = [...values.flat(), ...(await faultsOfFields(resources))]
  if (faults.length > 0) throw new Error(faults.join('\n'))
}
