import { type ApiScope, apiScopes, MOST_API_KEYS_IN_USE } from '@meridian/contracts'
import { expect, test } from 'vitest'
import { newSystem } from '../world/api-key.ts'
import { openConsole, problemOf } from '../world/console.ts'
import { call, codeOf } from '../world/phone.ts'
import { secondInstance } from '../world/second-instance.ts'
import { somebody } from '../world/somebody.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ environment: { RATE_LIMITS: 'integration=30' } })
const owner = useConsole(world, 'owner')
const operator = useConsole(world, 'operator')

const reads = { scopes: ['entitlements:read' as const] }
const ask = (token: string, path = `/integration/entitlements?openid=nobody`) =>
  call(`${world.url}/api/v1${path}`, { token })
const codeFor = async (token: string, path?: string) => codeOf(await ask(token, path))
const keysInUse = async () => (await owner.apiKey.list.query({})).items

test('a key is told once, kept as a hash, and seen in the list by its beginning', async () => {
  const { id, key } = await newSystem(world, owner, reads)
  expect(key).toMatch(/^mk_[0-9A-Za-z]{43}$/)
  const [listed] = await keysInUse()
  expect(listed).toMatchObject({
    id,
    hint: key.slice(0, 9),
    scopes: ['entitlements:read'],
    state: 'active',
    createdBy: 'owner@example.com',
    lastUsedAt: null,
  })
  const kept = await world.query(
    `SELECT to_jsonb(k)::text || (SELECT coalesce(json_agg(a)::text, '') FROM audit_entries a) AS text FROM api_keys k`,
  )
  expect(JSON.stringify(kept)).not.toContain(key.slice(9))
  const acts = await world.query(
    `SELECT action, after FROM audit_entries WHERE subject_type = 'api_key' AND subject_id = $1`,
    [id],
  )
  expect(acts).toMatchObject([{ action: 'api_key.create', after: { scopes: ['entitlements:read'] } }])
})

test('only an owner sees, makes and revokes keys', async () => {
  expect(await problemOf(operator.apiKey.list.query({}))).toBe('forbidden')
  expect(await problemOf(operator.apiKey.create.mutate({ name: 'crm', scopes: ['orders:read'] }))).toBe(
    'forbidden',
  )
})

test('a key opens what its scopes name, and nothing else', async () => {
  const { key } = await newSystem(world, owner, reads)
  expect(await codeFor(key)).toBe('user_not_found')
  expect(await codeFor(key, '/integration/orders')).toBe('forbidden')
  for (const path of ['/me', '/subscription', '/subscription/orders'])
    expect(await codeFor(key, path)).toBe('unauthenticated')
  expect(await problemOf(openConsole(world, { session: key }).order.list.query({}))).toBe('unauthenticated')
})

test('nobody comes in with the token of a user, a key that was never made, or none', async () => {
  const { phone } = await somebody(world)
  expect(await codeFor(phone.tokens.access_token)).toBe('unauthenticated')
  expect(await codeFor(`mk_${'a'.repeat(43)}`)).toBe('unauthenticated')
  expect(codeOf(await call(`${world.url}/api/v1/integration/orders`))).toBe('unauthenticated')
})

test('a key that is revoked or over opens nothing from then on, on any replica, and stays in the list of those', async () => {
  await using replica = await secondInstance(world)
  const soon = new Date(world.services.clock.now().getTime() + 120_000)
  const scopes: ApiScope[] = ['entitlements:read', 'orders:read']
  const revoked = await newSystem(world, owner, { scopes })
  const over = await newSystem(world, owner, { scopes, expiresAt: soon })
  const everywhere = async (key: string) => {
    const asked = [world.url, replica.url].flatMap((url) => [
      call(`${url}/api/v1/integration/entitlements?openid=nobody`, { token: key }),
      call(`${url}/api/v1/integration/orders/M0`, { token: key }),
    ])
    return new Set((await Promise.all(asked)).map(codeOf))
  }
  for (const { key } of [revoked, over])
    expect(await everywhere(key)).toEqual(new Set(['user_not_found', 'order_not_found']))
  await owner.apiKey.revoke.mutate({ id: revoked.id })
  expect(await everywhere(revoked.key)).toEqual(new Set(['unauthenticated']))
  await owner.apiKey.revoke.mutate({ id: revoked.id }, { context: { changesNothing: true } })
  await world.passTime({ minutes: 3 })
  expect(await everywhere(over.key)).toEqual(new Set(['unauthenticated']))
  const { items } = await owner.apiKey.list.query({ isActive: false })
  expect(items.map(({ id, state }) => [id, state])).toEqual([
    [over.id, 'expired'],
    [revoked.id, 'revoked'],
  ])
  expect((await keysInUse()).map(({ id }) => id)).not.toContain(revoked.id)
  const acts = await world.query(
    `SELECT before FROM audit_entries WHERE action = 'api_key.revoke' AND subject_id = $1`,
    [revoked.id],
  )
  expect(acts).toEqual([{ before: { name: scopes.join(' ') } }])
})

test('its last use is told to the minute', async () => {
  const { id, key } = await newSystem(world, owner, reads)
  await ask(key)
  const used = async () => (await keysInUse()).find((one) => one.id === id)?.lastUsedAt
  await expect.poll(used).toBeInstanceOf(Date)
})

test('each key has so many calls a minute, and the answer says how many are left', async () => {
  const [one, other] = [await newSystem(world, owner, reads), await newSystem(world, owner, reads)]
  const answers = await Promise.all(Array.from({ length: 32 }, () => ask(one.key)))
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/)
  const { headers } = await ask(other.key)
  expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['30', '29'])
})

test('an end that is over, a scope that is not known and a hundred keys are refused', async () => {
  const past = new Date(world.services.clock.now().getTime() - 1_000)
  const failing = (change: object) =>
    problemOf(owner.apiKey.create.mutate({ name: 'x', scopes: ['orders:read'], ...change }))
  expect(await failing({ expiresAt: past })).toBe('invalid_request')
  expect(await failing({ scopes: ['everything'] })).toBe('invalid_request')
  expect(await failing({ scopes: [] })).toBe('invalid_request')
  expect(await failing({ name: '' })).toBe('invalid_request')
  await world.query(
    `INSERT INTO api_keys (id, name, hint, key_hash, scopes, created_by)
     SELECT gen_random_uuid(), 'many', 'mk_abcdef', sha256(i::text::bytea), $1, (SELECT id FROM operators LIMIT 1)
     FROM generate_series(1, $2) i`,
    [[...apiScopes], MOST_API_KEYS_IN_USE],
  )
  expect(await failing({})).toBe('invalid_request')
})
