import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypes, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { JsapiPurchase } from '../world/phone.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { root } from './read-page.ts'

const world = useTestWorld()

const data = new URL('.data/', root)
mkdirSync(data, { recursive: true })
const folder = mkdtempSync(join(data.pathname, 'clients-'))
const document = new URL('openapi.json', root)

/** What a developer writes with a client that was generated with `@hey-api/openapi-ts`. */
const byMethods = `import { createClient } from './sdk/client'
import { getOrder, getSubscription, listPlans, logIn, purchasePlan, syncOrder, type PurchasePlanResponse } from './sdk'

type Shop = { baseUrl: string; code: string; pay: (purchase: PurchasePlanResponse) => Promise<void> }

export async function buy({ baseUrl, code, pay }: Shop) {
  const client = createClient({ baseUrl })
  const { data: tokens } = await logIn({ client, body: { code }, throwOnError: true })
  const { data: offer } = await listPlans({ client, throwOnError: true })
  const plan = offer.plans[0]
  if (!plan) throw new Error('nothing is on sale')
  client.setConfig({ auth: () => tokens.access_token })
  const { data: purchase } = await purchasePlan({
    client,
    headers: { 'idempotency-key': 'one-press' },
    body: { plan_code: plan.code, expected_amount_fen: plan.price_fen },
    throwOnError: true,
  })
  await pay(purchase)
  const path = { out_trade_no: purchase.order.out_trade_no }
  await syncOrder({ client, path, throwOnError: true })
  const { data: kept } = await getOrder({ client, path, throwOnError: true })
  const { data: subscription } = await getSubscription({ client, throwOnError: true })
  const { error } = await getOrder({ client, path: { out_trade_no: 'none' } })
  return { status: kept.order.status, active: subscription.is_active, refused: error?.code }
}
`

/** What one writes with the types of \`openapi-typescript\` and `openapi-fetch`. */
const byPaths = `import createClient from 'openapi-fetch'
import type { components, paths } from './paths'

type Purchase = components['schemas']['Purchase']
type Shop = { baseUrl: string; code: string; pay: (purchase: Purchase) => Promise<void> }

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('refused')
  return value
}

export async function buy({ baseUrl, code, pay }: Shop) {
  const open = createClient<paths>({ baseUrl })
  const tokens = present((await open.POST('/api/v1/auth/login', { body: { code } })).data)
  const plan = present(present((await open.GET('/api/v1/subscription/plans')).data).plans[0])
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${tokens.access_token}\` } })
  const purchase = present(
    (await client.POST('/api/v1/subscription/purchase', {
      params: { header: { 'idempotency-key': 'one-press' } },
      body: { plan_code: plan.code, expected_amount_fen: plan.price_fen },
    })).data,
  )
  await pay(purchase)
  const params = { path: purchase.order }
  await client.POST('/api/v1/subscription/orders/{out_trade_no}/sync', { params })
  const kept = present((await client.GET('/api/v1/subscription/orders/{out_trade_no}', { params })).data)
  const subscription = present((await client.GET('/api/v1/subscription')).data)
  const { error } = await client.GET('/api/v1/subscription/orders/{out_trade_no}', {
    params: { path: { out_trade_no: 'none' } },
  })
  return { status: kept.order.status, active: subscription.is_active, refused: error?.code }
}
`

/** As strict as our own code is, but for what generated code cannot know. */
const options = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  noEmit: true,
  target: 'ES2023',
  module: 'ESNext',
  moduleResolution: 'bundler',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  types: [],
  skipLibCheck: true,
}

const compile = async (): Promise<string> => {
  const tsc = new URL('node_modules/typescript-native/bin/tsc', root)
  try {
    await promisify(execFile)(process.execPath, [tsc.pathname, '-p', folder])
    return ''
  } catch (error) {
    return z.object({ stdout: z.string() }).parse(error).stdout
  }
}

beforeAll(async () => {
  await createClient({
    input: document.pathname,
    output: { path: join(folder, 'sdk') },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  })
  // A member with a default may be left out of a request, which the generator takes for an answer's rule.
  writeFileSync(
    join(folder, 'paths.ts'),
    astToString(await openapiTypes(document, { defaultNonNullable: false })),
  )
  writeFileSync(join(folder, 'by-methods.ts'), byMethods)
  writeFileSync(join(folder, 'by-paths.ts'), byPaths)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['**/*.ts'] }),
  )
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('clients that others generate compile as strictly as ours', async () => {
  expect(await compile()).toBe('')
  writeFileSync(join(folder, 'by-mistake.ts'), byMethods.replace('plan.price_fen', 'plan.price'))
  expect(await compile()).toContain("Property 'price' does not exist")
  rmSync(join(folder, 'by-mistake.ts'))
}, 60_000)

const Buying = z.object({
  buy: z.function({
    input: [z.object({ baseUrl: z.string(), code: z.string(), pay: z.unknown() })],
    output: z.promise(z.object({ status: z.string(), active: z.boolean(), refused: z.string().optional() })),
  }),
})

test.each(['by-methods.ts', 'by-paths.ts'])(
  'such a client buys and reads what it bought: %s',
  async (file) => {
    const { buy } = Buying.parse(await import(pathToFileURL(join(folder, file)).href))
    const phone = await world.phone()
    const bought = await buy({
      baseUrl: world.url,
      code: world.platform.loginCode(phone.openid),
      pay: async (purchase: unknown) => {
        await phone.pays(JsapiPurchase.parse(purchase))
      },
    })
    expect(bought).toEqual({ status: 'paid', active: true, refused: 'order_not_found' })
  },
)
