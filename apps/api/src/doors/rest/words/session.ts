import { tokens } from './examples.ts'
import type { TagWords } from './operation-words.ts'

const pair = { zh: '一对新的令牌。', en: 'A new pair of tokens.' }

export const session = {
  title: { zh: '登录', en: 'Session' },
  description: {
    zh: '用 `wx.login` 的 code 换取令牌，续期，退出。访问令牌短期有效，放在 `Authorization: Bearer` 里；刷新令牌只能用一次。',
    en: 'Tokens for a code of `wx.login`, their renewal, and the end of a session. The access token is short-lived and goes into `Authorization: Bearer`; a refresh token is good for one use.',
  },
  operations: {
    'POST /auth/login': {
      operationId: 'logIn',
      summary: { zh: '登录', en: 'Sign in' },
      description: {
        zh: '用一个新的 `wx.login` code 登录；首次登录即建立账号。code 只能用一次，五分钟内有效：失败后重试要重新调用 `wx.login`。每个地址每分钟 120 次（与续期合计）。',
        en: 'Signs in by a fresh code of `wx.login`; the first sign-in makes the account. A code is good once and for five minutes: call `wx.login` again before you retry. 120 calls a minute and address, renewals included.',
      },
      answers: { 200: pair },
      request: { code: '0a3XyZ000aBcDe1fGh200IjKlM3XyZ0N' },
      answer: tokens,
    },
    'POST /auth/refresh': {
      operationId: 'refreshTokens',
      summary: { zh: '续期令牌', en: 'Renew the tokens' },
      description: {
        zh: '收到 `token_expired` 时调用一次，然后用新的访问令牌重发原请求。每次续期都换发新的刷新令牌；旧令牌再次出现会视为被盗，整个会话随之结束。并发请求请共用一次续期。失败为 `invalid_refresh_token` 时重新登录。',
        en: 'Call it once when an answer says `token_expired`, then repeat the request with the new access token. Each renewal replaces the refresh token; an old one that shows up again counts as stolen and ends the session. Let concurrent requests share one renewal. After `invalid_refresh_token`, sign in again.',
      },
      answers: { 200: pair },
      request: { refresh_token: tokens.refresh_token },
      answer: tokens,
    },
    'POST /auth/logout': {
      operationId: 'logOut',
      summary: { zh: '退出登录', en: 'Sign out' },
      description: {
        zh: '结束该刷新令牌所属的会话，其访问令牌随即失效。可重复调用；未知的令牌同样回答 204。',
        en: 'Ends the session that the refresh token belongs to; its access tokens end with it. Safe to repeat; a token nobody knows is answered 204 as well.',
      },
      answers: { 204: { zh: '会话已结束。', en: 'The session has ended.' } },
      request: { refresh_token: tokens.refresh_token },
    },
  },
} as const satisfies TagWords
