import type { ProblemKind } from './problem-kind.ts'

/** Of who somebody is: signing in, passwords, second factors, and what a role may do. */
export const identityProblems = {
  password_too_common: {
    http: 400,
    trpc: 'BAD_REQUEST',
    zh: '这个密码太常见，很容易被猜到，请换一个',
    en: 'This password is too common and easily guessed: choose another one',
  },
  password_has_name: {
    http: 400,
    trpc: 'BAD_REQUEST',
    zh: '密码不能包含邮箱名或产品名（meridian），请换一个',
    en: "The password must not contain your e-mail's name or the product's (meridian): choose another one",
  },
  unauthenticated: { http: 401, trpc: 'UNAUTHORIZED', zh: '请先登录', en: 'Please sign in' },
  token_expired: { http: 401, trpc: 'UNAUTHORIZED', zh: '登录已过期', en: 'The sign-in has expired' },
  invalid_login_code: {
    http: 401,
    trpc: 'UNAUTHORIZED',
    zh: '登录凭证无效，请重试',
    en: 'The login code is not valid',
  },
  invalid_refresh_token: {
    http: 401,
    trpc: 'UNAUTHORIZED',
    zh: '登录已失效，请重新登录',
    en: 'Please log in again',
  },
  invalid_credentials: {
    http: 401,
    trpc: 'UNAUTHORIZED',
    zh: '邮箱或密码不正确',
    en: 'Wrong e-mail or password',
  },
  forbidden: { http: 403, trpc: 'FORBIDDEN', zh: '没有权限', en: 'Not allowed' },
  password_change_required: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '请先修改密码',
    en: 'Choose a new password first',
  },
  user_disabled: { http: 403, trpc: 'FORBIDDEN', zh: '账号已停用', en: 'This account is disabled' },
  second_person_required: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '需要另一位人员处理',
    en: 'Another person has to decide this',
  },
  account_too_new: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '账号在 24 小时内新建、重置或更换过角色，或两步验证晚于该申请，暂不能参与双人审批',
    en: 'Your account was made, reset or given another role within 24 hours, or your second factor is newer than the request: you cannot take part in what needs a second person yet',
  },
  step_up_required: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '请先验证身份',
    en: 'Prove your identity first',
  },
  password_required: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '请先输入密码',
    en: 'Enter your password first',
  },
  factor_not_trusted: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '两步验证设置未满 24 小时，暂不能用于验证身份；所有者可在“操作员”页面提前确认',
    en: 'Two-step verification was set up less than 24 hours ago and does not prove your identity yet; an owner can confirm it on the page Operators',
  },
  second_factor_required: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '请先设置两步验证',
    en: 'Set up two-step verification first',
  },
  code_required: {
    http: 401,
    trpc: 'UNAUTHORIZED',
    zh: '请输入验证码',
    en: 'Enter the code of your authenticator',
  },
  invalid_code: {
    http: 401,
    trpc: 'UNAUTHORIZED',
    zh: '验证码不正确或已使用过',
    en: 'The code is wrong or was used before',
  },
  login_not_configured: {
    http: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    zh: '登录尚未开通',
    en: 'Login is not configured',
  },
} as const satisfies Record<string, ProblemKind>
