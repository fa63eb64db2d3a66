import type { Phone } from '../../world/phone.ts'
import type { TestWorld } from '../../world/test-world.ts'
import type { Scenes } from './stage.ts'

const disable = ({ query }: TestWorld, { openid }: Phone) =>
  query('UPDATE users SET disabled_at = now() WHERE openid = $1', [openid])
const logIn = (phone: Phone, code: string) =>
  phone.call('/auth/login', { method: 'POST', token: null, body: { code } })
const refresh = (phone: Phone, token: string) =>
  phone.call('/auth/refresh', { method: 'POST', token: null, body: { refresh_token: token } })

export const sessionAnswers: Scenes = {
  'POST /auth/login': {
    '200': ({ world, phone }) => logIn(phone, world.platform.loginCode('oSomebody')),
    invalid_login_code: ({ phone }) => logIn(phone, 'no-such-code'),
    user_disabled: async ({ world, phone }) => {
      await disable(world, phone)
      return logIn(phone, world.platform.loginCode(phone.openid))
    },
    login_not_configured: ({ bare, phone }) =>
      phone.callAt(`${bare.url}/api/v1`, '/auth/login', {
        method: 'POST',
        token: null,
        body: { code: 'any' },
        headers: { 'x-forwarded-for': '192.0.2.99' },
      }),
  },
  'POST /auth/refresh': {
    '200': ({ phone }) => refresh(phone, phone.tokens.refresh_token),
    invalid_refresh_token: ({ phone }) => refresh(phone, 'no-such-token'),
    user_disabled: async ({ world, phone }) => {
      await disable(world, phone)
      return refresh(phone, phone.tokens.refresh_token)
    },
  },
}
