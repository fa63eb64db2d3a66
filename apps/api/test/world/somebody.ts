import type { TestWorld } from './test-world.ts'

/** A new person with a phone, signed in, and their id. */
export async function somebody(world: Pick<TestWorld, 'phone' | 'query'>) {
  const phone = await world.phone()
  const [user] = await world.query<{ id: string }>('SELECT id FROM users WHERE openid = $1', [phone.openid])
  return { phone, userId: user?.id ?? '' }
}
