import { z } from 'zod'

/** The statuses that problems have over HTTP, and the codes of the same over tRPC. */
const trpcCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
  504: 'GATEWAY_TIMEOUT',
} as const

/** How a problem is told: its status, and its title in both languages. */
const problem = <Status extends keyof typeof trpcCodes>(http: Status, zh: string, en: string) => ({
  http,
  trpc: trpcCodes[http],
  zh,
  en,
})

/** Every problem a client can meet: status numbers and their titles are written nowhere else. */
export const problems = {
  // Of a request as such, whoever sends it and whatever it is about.
  invalid_request: problem(400, '请求内容有误', 'The request is not valid'),
  malformed_json: problem(400, '请求不是有效的 JSON', 'The request is not valid JSON'),
  not_found: problem(404, '找不到该资源', 'Not found'),
  method_not_allowed: problem(405, '不支持该请求方法', 'Method not allowed'),
  idempotency_in_progress: problem(409, '同一请求正在处理中', 'The same request is being processed'),
  payload_too_large: problem(413, '请求内容过大', 'The request is too large'),
  unsupported_media_type: problem(415, '不支持的内容类型', 'Unsupported content type'),
  idempotency_key_reused: problem(
    422,
    '幂等键已用于其他请求',
    'The idempotency key was used for another request',
  ),
  sandbox_only: problem(409, '仅可在沙箱里使用', 'Only available in a sandbox'),
  sample_data_playing: problem(409, '示例数据正在写入', 'Sample data are being played already'),
  sample_data_unavailable: problem(
    503,
    '这个沙箱不能写入示例数据，请用 npm start 启动',
    'This sandbox cannot play sample data: start it with npm start',
  ),
  range_too_wide: problem(422, '查询范围过大，请缩小时间范围', 'Narrow the range'),
  rate_limited: problem(429, '请求过于频繁，请稍后再试', 'Too many requests'),
  internal_error: problem(500, '服务器内部错误', 'Internal error'),
  service_unavailable: problem(503, '服务暂时不可用', 'Service unavailable'),
  // Of who somebody is: signing in, passwords, second factors, and what a role may do.
  password_too_common: problem(
    400,
    '这个密码太常见，很容易被猜到，请换一个',
    'This password is too common and easily guessed: choose another one',
  ),
  password_has_name: problem(
    400,
    '密码不能包含邮箱名或产品名（meridian），请换一个',
    "The password must not contain your e-mail's name or the product's (meridian): choose another one",
  ),
  unauthenticated: problem(401, '请先登录', 'Please sign in'),
  token_expired: problem(401, '登录已过期', 'The sign-in has expired'),
  invalid_login_code: problem(401, '登录凭证无效，请重试', 'The login code is not valid'),
  invalid_refresh_token: problem(401, '登录已失效，请重新登录', 'Please log in again'),
  invalid_credentials: problem(401, '邮箱或密码不正确', 'Wrong e-mail or password'),
  forbidden: problem(403, '没有权限', 'Not allowed'),
  password_change_required: problem(403, '请先修改密码', 'Choose a new password first'),
  user_disabled: problem(403, '账号已停用', 'This account is disabled'),
  second_person_required: problem(403, '需要另一位人员处理', 'Another person has to decide this'),
  account_too_new: problem(
    403,
    '账号在 24 小时内新建、重置或更换过角色，或两步验证晚于该申请，暂不能参与双人审批',
    'Your account was made, reset or given another role within 24 hours, or your two-step verification is newer than the request: you cannot take part in what needs a second person yet',
  ),
  step_up_required: problem(403, '请先验证身份', 'Prove your identity first'),
  password_required: problem(403, '请先输入密码', 'Enter your password first'),
  factor_not_trusted: problem(
    403,
    '两步验证设置未满 24 小时，暂不能用于验证身份；所有者可在“操作员”页面提前确认',
    'Two-step verification was set up less than 24 hours ago and does not prove your identity yet; an owner can confirm it on the page Operators',
  ),
  second_factor_required: problem(403, '请先设置两步验证', 'Set up two-step verification first'),
  code_required: problem(401, '请输入验证码', 'Enter the code of your authenticator'),
  invalid_code: problem(401, '验证码不正确或已使用过', 'The code is wrong or was used before'),
  login_not_configured: problem(503, '登录尚未开通', 'Login is not configured'),
  // Of plans, orders, payments and refunds.
  sale_not_allowed: problem(403, '当前平台暂不支持购买', 'Not on sale on this platform'),
  plan_not_found: problem(404, '套餐不存在或已下架', 'The plan does not exist or cannot be bought'),
  order_not_found: problem(404, '订单不存在', 'The order does not exist'),
  price_changed: problem(409, '价格已变化，请刷新后重试', 'The price has changed'),
  order_already_paid: problem(409, '订单已支付', 'The order is already paid'),
  order_closed: problem(409, '订单已关闭', 'The order is closed'),
  channel_not_supported: problem(
    409,
    '当前小程序版本过低，请更新微信和小程序后重试',
    'This version cannot pay by the channel in use; please update WeChat and the mini-program',
  ),
  refund_by_apple: problem(
    409,
    '该订单由 Apple 收款，请用户在 Apple 申请退款（reportaproblem.apple.com）',
    'Apple took this payment: the user asks Apple for the refund (reportaproblem.apple.com)',
  ),
  refund_not_possible: problem(409, '该订单不能这样退款', 'The order cannot be refunded like this'),
  refund_being_sent: problem(
    409,
    '退款正在提交给支付平台，请几分钟后再试',
    'The refund is being sent to the payment platform; try again in a few minutes',
  ),
  decision_not_possible: problem(409, '该订单不能这样处理', 'The order cannot be decided like this'),
  note_kept: problem(
    409,
    '备注写下超过 5 分钟或已撤回，不能再撤回',
    'A note can be withdrawn once, within five minutes',
  ),
  notification_unreadable: problem(409, '无法再次验证该通知', 'The notification can no longer be verified'),
  price_below_floor: problem(
    409,
    '每日价格低于设置的最低价',
    'The price per day is below the floor in the settings',
  ),
  payment_platform_error: problem(502, '支付平台暂时不可用', 'The payment platform failed'),
  payment_not_configured: problem(503, '支付尚未开通', 'Payments are not configured'),
  payment_platform_timeout: problem(504, '支付平台响应超时', 'The payment platform did not answer in time'),
  // Of somebody and of what is theirs: account, subscription, devices, reports.
  subscription_required: problem(403, '需要有效的订阅', 'A subscription is required'),
  device_not_registered: problem(403, '设备未登记', 'The device is not registered'),
  proof_required: problem(403, '需要设备证明', 'Proof of possession is required'),
  proof_invalid: problem(403, '设备证明无效', 'The proof of possession is not valid'),
  user_not_found: problem(404, '找不到该用户', 'The user does not exist'),
  device_not_found: problem(404, '设备不存在', 'The device does not exist'),
  report_not_found: problem(404, '报告不存在', 'The report does not exist'),
  device_already_bound: problem(409, '设备已被绑定', 'The device belongs to somebody else'),
  device_limit_reached: problem(409, '绑定设备数量已达上限', 'Too many devices'),
  report_limit_reached: problem(409, '报告数量已达上限', 'Too many reports'),
  grant_limit_reached: problem(
    409,
    '本月为该用户赠送的天数已达上限',
    'No more days can be given to this user this month',
  ),
  erasure_blocked: problem(
    409,
    '有未完成的订单或退款，暂不能注销',
    'An open order or refund blocks the erasure',
  ),
  // Of what operators change.
  changed_meanwhile: problem(409, '内容已被他人修改，请刷新后重试', 'Somebody else changed it meanwhile'),
  code_taken: problem(409, '代码已被使用', 'The code is taken'),
  already_waiting: problem(
    409,
    '已有一项变更在等待另一位人员',
    'A change of this is waiting for a second person already',
  ),
  last_owner: problem(409, '至少要保留一位可用的所有者', 'At least one owner has to remain'),
  email_taken: problem(409, '该邮箱已有账号', 'There is an account with this address'),
}

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
