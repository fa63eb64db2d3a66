import type { Phone } from '../../world/phone.ts'
import { plantUser, type Scenes, whileSetting } from './stage.ts'

const erase = (phone: Phone, code: string, more: { headers?: Record<string, string> } = {}) =>
  phone.call('/me', { method: 'DELETE', body: { confirm: 'DELETE', code }, ...more })

export const accountAnswers: Scenes = {
  'DELETE /me': {
    '204': ({ world, phone }) => erase(phone, world.platform.loginCode(phone.openid)),
    invalid_login_code: ({ phone }) => erase(phone, 'no-such-code'),
    erasure_blocked: async ({ world, phone }) => {
      await phone.buys()
      return erase(phone, world.platform.loginCode(phone.openid))
    },
    login_not_configured: async ({ bare }) => erase(await plantUser(bare), 'any'),
  },
  'POST /me/message-permissions': {
    '200': ({ world, phone }) =>
      whileSetting(world, ['message_templates', { expiry: 'template-1' }], () =>
        phone.call('/me/message-permissions', { method: 'POST', body: { template: 'expiry' } }),
      ),
  },
}
