import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { anOrder, type World } from './world.ts'

export async function placed({ payments }: World) {
  const order = anOrder()
  const { prepayId, requestId } = await payments.prepay(order)
  return { ...order, prepayId, requestId }
}

export async function paid(world: World) {
  const order = await placed(world)
  await world.platform.pay(order.outTradeNo, { silent: true })
  return order
}

export const read = ({ payments }: World, delivery: { headers: Record<string, string>; body: string }) =>
  payments.readNotification({ headers: delivery.headers, body: Buffer.from(delivery.body) })

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** The texts of what ships: of this package without the platform to test against, or of what stands on it. */
export function shippedSources(folder = 'packages/payments/src'): string[] {
  const sources = join(root, folder)
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('testing'))
    .map((name) => readFileSync(join(sources, name), 'utf8'))
}
