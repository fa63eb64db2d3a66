import { secrets } from '@meridian/process/read-environment'
import { describe, expect, test } from 'vitest'
import { faultsOfCompose, readCompose, readYaml, type Service } from '../read-compose.ts'
import {
  composeVariables,
  containersOf,
  exampleVariables,
  givenSettings,
  knownSettings,
  kubernetesFiles,
} from '../read-settings.ts'

const composeFiles = ['compose.yaml', 'compose.sandbox.yaml']
const services = composeFiles.flatMap((file) =>
  Object.entries(readCompose(file).services).map(([name, service]) => ({
    name: `${file}: ${name}`,
    service,
  })),
)
const containers = kubernetesFiles().flatMap((file) =>
  containersOf(file)
    .filter(({ image }) => image !== undefined)
    .map((container) => ({ name: `${file}: ${container['name']}`, container })),
)
/** Ends with code 0 after a moment: it makes a volume for somebody else. */
const preparesVolumes = (service: Service) => service.network_mode === 'none' && service.restart === 'no'
/** The image by its default, or as it stands. */
const imageOf = (image: unknown) => `${image}`.replace(/^\$\{[A-Z_]+:-(.+)\}$/, '$1')
const isPinned = (image: string) => /:[^:/]*\d[^:/]*$|@sha256:/.test(image) && !image.endsWith(':latest')

test('the checks read every kind of file', () => {
  expect(services.length).toBeGreaterThan(15)
  expect(containers.length).toBeGreaterThan(8)
  expect(new Set(givenSettings().map(({ place }) => place.split(/[/:]/)[0]))).toEqual(
    new Set(['compose.yaml', 'compose.sandbox.yaml', 'kubernetes', 'systemd']),
  )
})

describe('the settings in deploy/', () => {
  test('are settings that the programs read', () => {
    const known = knownSettings()
    expect(givenSettings().filter(({ name }) => !known.has(name))).toEqual([])
  })
  test('hold no secret: each is a file', () => {
    const secret = new Set<string>(secrets)
    expect(givenSettings().filter(({ name }) => secret.has(name))).toEqual([])
    expect(givenSettings().filter(({ value }) => /:\/\/[^/$]*:[^/$]*@/.test(value))).toEqual([])
  })
  test.each(composeFiles)('%s has a default for each variable', (file) => {
    expect(composeVariables(file).filter(({ hasDefault }) => !hasDefault)).toEqual([])
  })
  test('are described where an installation sets them', () => {
    const described = exampleVariables()
    const images = /^(POSTGRES|PGBOUNCER|REDIS|CADDY|PROMETHEUS|ALERTMANAGER|GRAFANA)_IMAGE$/
    const missing = composeVariables('compose.yaml').filter(
      ({ name }) => !described.has(name) && !images.test(name),
    )
    expect(missing).toEqual([])
  })
})

describe('Compose', () => {
  test.each(composeFiles)('%s holds to the schema of the specification', (file) => {
    expect(faultsOfCompose(readYaml(file))).toEqual([])
  })
  test('its schema notices a word that it does not know', () => {
    expect(faultsOfCompose({ name: 'x', services: { one: { image: 'a', red_only: true } } })).toHaveLength(1)
  })
  test.each(services)('$name is closed, limited and stops in time', ({ service }) => {
    expect(isPinned(imageOf(service.image)), imageOf(service.image)).toBe(true)
    expect(service.read_only).toBe(true)
    expect(service.cap_drop).toEqual(['ALL'])
    expect(service.security_opt).toContain('no-new-privileges:true')
    expect(service.restart).toMatch(/^(unless-stopped|no)$/)
    expect(service.logging?.options['max-size']).toBeDefined()
    expect(service.deploy?.resources.limits.memory).toBeDefined()
    expect(service.healthcheck).toBeDefined()
    const user = preparesVolumes(service) ? /^0:0$/ : /^[1-9]\d*:\d+$/
    expect(service.user).toMatch(user)
  })
  test.each(services)('$name names secrets that the file has, and reads no other', ({ name, service }) => {
    const { secrets } = readCompose(name.split(':')[0] ?? '')
    const mounted = service.secrets.map(({ target }) => target)
    expect(service.secrets.filter(({ source }) => secrets[source] === undefined)).toEqual([])
    const read = Object.values(service.environment).filter((value) => `${value}`.startsWith('/run/secrets/'))
    expect(read.filter((value) => !mounted.includes(`${value}`))).toEqual([])
  })
  test('publishes nothing but the proxy, and what is for this machine alone', () => {
    const published = services.flatMap(({ name, service }) => service.ports.map((port) => ({ name, port })))
    const open = published.filter(
      ({ port }) => !/^(127\.0\.0\.1:|\$\{GRAFANA_BIND:-127\.0\.0\.1:)/.test(port),
    )
    expect(new Set(open.map(({ name }) => name))).toEqual(new Set(['compose.yaml: proxy']))
  })
  test('keeps the database in a network without a way out', () => {
    const { networks, services: all } = readCompose('compose.yaml')
    expect(all['postgres']?.networks).toEqual(['data'])
    expect(networks['data']?.internal).toBe(true)
  })
})

describe('Kubernetes', () => {
  test.each(containers)('$name is closed and limited', ({ container }) => {
    const { securityContext, resources, image } = container
    expect(securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(resources).toMatchObject({ requests: expect.anything(), limits: { memory: expect.anything() } })
    // The name that the kustomization replaces by a release
    expect(image === 'meridian' || isPinned(`${image}`), `${image}`).toBe(true)
  })
})
