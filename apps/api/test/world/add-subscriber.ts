import { setSetting } from './set-setting.ts'
import type { TestWorld } from './test-world.ts'

/** The templates of messages, as the setting holds them. */
export const setTemplates = (world: TestWorld, templates: object) =>
  setSetting(world, 'message_templates', templates)

/** Somebody whose thirty days have just begun, and who allows `remaining` messages. */
export async function addSubscriber(world: TestWorld, remaining: number) {
  const phone = await world.phone()
  await phone.pays(await phone.buys())
  const [user] = await world.query<{ id: string }>('SELECT id FROM users WHERE openid = $1', [phone.openid])
  const userId = user?.id ?? ''
  await world.query(
    `INSERT INTO message_permissions (user_id, template, remaining) VALUES ($1, 'expiry_reminder', $2)`,
    [userId, remaining],
  )
  return { userId, openid: phone.openid, phone }
}
