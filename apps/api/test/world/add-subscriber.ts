import { setSetting } from './set-setting.ts'
import { somebody } from './somebody.ts'
import type { TestWorld } from './test-world.ts'

/** The templates of messages, as the setting holds them. */
export const setTemplates = (world: TestWorld, templates: object) =>
  setSetting(world, 'message_templates', templates)

/** Somebody whose thirty days have just begun, and who allows `remaining` messages. */
export async function addSubscriber(world: TestWorld, remaining: number) {
  const { phone, userId } = await somebody(world)
  await phone.pays(await phone.buys())
  await world.query(
    `INSERT INTO message_permissions (user_id, template, remaining) VALUES ($1, 'expiry_reminder', $2)`,
    [userId, remaining],
  )
  return { userId, openid: phone.openid, phone }
}
