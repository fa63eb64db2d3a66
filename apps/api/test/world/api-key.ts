import { type ApiScope, apiScopes } from '@meridian/contracts'
import { createApiKey } from '../../src/api-keys/manage-api-keys.ts'
import { type Console, type ConsoleWorld, hire } from './console.ts'
import { type Answer, call } from './phone.ts'
import type { TestWorld } from './test-world.ts'

/** Another system of the company, with a key of its own. */
export type System = {
  id: string
  key: string
  get: (path: string) => Promise<Answer>
  post: (path: string, body: unknown) => Promise<Answer>
}

/** A system whose key an owner has just made. */
export async function newSystem(
  { url }: Pick<TestWorld, 'url'>,
  owner: Console,
  { scopes, expiresAt = null }: { scopes: ApiScope[]; expiresAt?: Date | null },
): Promise<System> {
  const { id, key } = await owner.apiKey.create.mutate({ name: scopes.join(' '), scopes, expiresAt })
  const api = `${url}/api/v1/integration`
  return {
    id,
    key,
    get: (path) => call(`${api}${path}`, { token: key }),
    post: (path, body) => call(`${api}${path}`, { method: 'POST', token: key, body }),
  }
}

/** A scope that does not open this operation. */
export const scopeBeside = ({ name }: { name: string }): ApiScope =>
  name.includes('/events') ? 'orders:read' : 'events:read'

/** The text of a key that may do everything, unless it is said otherwise, of a world in which nobody signs in. */
export async function plantKey(
  world: ConsoleWorld,
  scopes: readonly ApiScope[] = apiScopes,
): Promise<string> {
  const operatorId = await hire(world, { email: 'keys@example.com' })
  const from = { address: '203.0.113.7', userAgent: 'test', requestId: 'plant-key' }
  const wanted = { name: 'planted', scopes: [...scopes], expiresAt: null }
  return (await createApiKey(world.services.database.pool, wanted, { operatorId, from })).key
}
