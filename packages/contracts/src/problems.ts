import { z } from 'zod'

type ProblemKind = { readonly http: number; readonly trpc: string; readonly zh: string; readonly en: string }

/** Every problem a client can meet: the only place where status numbers and their titles are written. */
export const problems = {
  invalid_request: { http: 400, trpc: 'BAD_REQUEST', zh: '请求内容有误', en: 'The request is not valid' },
  malformed_json: {
    http: 400,
    trpc: 'BAD_REQUEST',
    zh: '请求不是有效的 JSON',
    en: 'The request is not valid JSON',
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
  subscription_required: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '需要有效的订阅',
    en: 'A subscription is required',
  },
  sale_not_allowed: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '当前平台暂不支持购买',
    en: 'Not on sale on this platform',
  },
  device_not_registered: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '设备未登记',
    en: 'The device is not registered',
  },
  proof_required: { http: 403, trpc: 'FORBIDDEN', zh: '需要设备证明', en: 'Proof of possession is required' },
  proof_invalid: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '设备证明无效',
    en: 'The proof of possession is not valid',
  },
  not_found: { http: 404, trpc: 'NOT_FOUND', zh: '找不到该资源', en: 'Not found' },
  plan_not_found: {
    http: 404,
    trpc: 'NOT_FOUND',
    zh: '套餐不存在或已下架',
    en: 'The plan does not exist or is not on sale',
  },
  order_not_found: { http: 404, trpc: 'NOT_FOUND', zh: '订单不存在', en: 'The order does not exist' },
  device_not_found: { http: 404, trpc: 'NOT_FOUND', zh: '设备不存在', en: 'The device does not exist' },
  report_not_found: { http: 404, trpc: 'NOT_FOUND', zh: '报告不存在', en: 'The report does not exist' },
  method_not_allowed: {
    http: 405,
    trpc: 'METHOD_NOT_SUPPORTED',
    zh: '不支持该请求方法',
    en: 'Method not allowed',
  },
  price_changed: { http: 409, trpc: 'CONFLICT', zh: '价格已变化，请刷新后重试', en: 'The price has changed' },
  order_already_paid: { http: 409, trpc: 'CONFLICT', zh: '订单已支付', en: 'The order is already paid' },
  order_closed: { http: 409, trpc: 'CONFLICT', zh: '订单已关闭', en: 'The order is closed' },
  idempotency_in_progress: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '同一请求正在处理中',
    en: 'The same request is being processed',
  },
  device_already_bound: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '设备已被绑定',
    en: 'The device belongs to somebody else',
  },
  device_limit_reached: { http: 409, trpc: 'CONFLICT', zh: '绑定设备数量已达上限', en: 'Too many devices' },
  report_limit_reached: { http: 409, trpc: 'CONFLICT', zh: '报告数量已达上限', en: 'Too many reports' },
  refund_not_possible: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '该订单不能这样退款',
    en: 'The order cannot be refunded like this',
  },
  decision_not_possible: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '该订单不能这样处理',
    en: 'The order cannot be decided like this',
  },
  notification_unreadable: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '无法再次验证该通知',
    en: 'The notification can no longer be verified',
  },
  changed_meanwhile: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '内容已被他人修改，请刷新后重试',
    en: 'Somebody else changed it meanwhile',
  },
  code_taken: { http: 409, trpc: 'CONFLICT', zh: '代码已被使用', en: 'The code is taken' },
  second_person_required: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '需要另一位人员处理',
    en: 'Another person has to decide this',
  },
  step_up_required: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '请先验证身份',
    en: 'Prove your identity first',
  },
  last_owner: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '至少要保留一位可用的所有者',
    en: 'At least one owner has to remain',
  },
  email_taken: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '该邮箱已有账号',
    en: 'There is an account with this address',
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
  erasure_blocked: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '有未完成的订单或退款，暂不能注销',
    en: 'An open order or refund blocks the erasure',
  },
  payload_too_large: {
    http: 413,
    trpc: 'PAYLOAD_TOO_LARGE',
    zh: '请求内容过大',
    en: 'The request is too large',
  },
  unsupported_media_type: {
    http: 415,
    trpc: 'UNSUPPORTED_MEDIA_TYPE',
    zh: '不支持的内容类型',
    en: 'Unsupported content type',
  },
  idempotency_key_reused: {
    http: 422,
    trpc: 'UNPROCESSABLE_CONTENT',
    zh: '幂等键已用于其他请求',
    en: 'The idempotency key was used for another request',
  },
  range_too_wide: {
    http: 422,
    trpc: 'UNPROCESSABLE_CONTENT',
    zh: '查询范围过大，请缩小时间范围',
    en: 'Narrow the range',
  },
  rate_limited: {
    http: 429,
    trpc: 'TOO_MANY_REQUESTS',
    zh: '请求过于频繁，请稍后再试',
    en: 'Too many requests',
  },
  internal_error: { http: 500, trpc: 'INTERNAL_SERVER_ERROR', zh: '服务器内部错误', en: 'Internal error' },
  payment_platform_error: {
    http: 502,
    trpc: 'BAD_GATEWAY',
    zh: '支付平台暂时不可用',
    en: 'The payment platform failed',
  },
  payment_not_configured: {
    http: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    zh: '支付尚未开通',
    en: 'Payments are not configured',
  },
  login_not_configured: {
    http: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    zh: '登录尚未开通',
    en: 'Login is not configured',
  },
  service_unavailable: {
    http: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    zh: '服务暂时不可用',
    en: 'Service unavailable',
  },
  payment_platform_timeout: {
    http: 504,
    trpc: 'GATEWAY_TIMEOUT',
    zh: '支付平台响应超时',
    en: 'The payment platform did not answer in time',
  },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof problems

/** RFC 9457 problem document, as every failing REST operation answers it. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  out_trade_no: z.string().optional(),
})
export type Problem = z.infer<typeof Problem>
