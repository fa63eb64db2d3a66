import type { TestWorld } from './test-world.ts'

/** The templates of messages, as the setting holds them. */
export const setTemplates = (world: TestWorld, templates: object) =>
  world.query(`UPDATE settings SET value = $1::jsonb WHERE key = 'message_templates'`, [
    JSON.stringify(templates),
  ])

/** As if somebody's days ended in so many. */
export const endIn = (world: TestWorld, userId: string, days: number) =>
  world.query(`UPDATE subscriptions SET expires_at = now() + $2 * interval '24 hours' WHERE user_id = $1`, [
    userId,
    days,
  ])

/** Somebody whose days end in `days`, and who allows `remaining` messages. */
export async function addSubscriber(world: TestWorld, days: number, remaining: number) {
  const phone = await world.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase)
  const [user] = await world.query<{ id: string }>('SELECT id FROM users WHERE openid = $1', [phone.openid])
  const userId = user?.id ?? ''
  await endIn(world, userId, days)
  await world.query(
    `INSERT INTO message_permissions (user_id, template, remaining) VALUES ($1, 'expiry_reminder', $2)`,
    [userId, remaining],
  )
  return { userId, openid: phone.openid }
}
