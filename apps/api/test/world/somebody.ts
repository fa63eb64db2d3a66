import type { TestWorld } from './test-world.ts'

/** The id of whoever signs in with this phone. */
export async function userIdOf(
  { query }: Pick<TestWorld, 'query'>,
  { openid }: { openid: string },
): Promise<string> {
  const [user] = await query<{ id: string }>('SELECT id FROM users WHERE openid = $1', [openid])
  if (!user) throw new Error(`nobody has the openid ${openid}`)
  return user.id
}

/** A new person with a phone, signed in, and their id. */
export async function somebody(world: Pick<TestWorld, 'phone' | 'query'>) {
  const phone = await world.phone()
  return { phone, userId: await userIdOf(world, phone) }
}
