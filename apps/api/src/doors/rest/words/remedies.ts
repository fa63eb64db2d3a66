import type { ProblemCode } from '@meridian/contracts'
import type { Told } from './operation-words.ts'

/**
 * What a developer does about each problem of the REST interface, for the document and for the page that the `type` of
 * a problem leads to. An operation may declare these codes alone.
 */
export const remedies = {
  invalid_request: {
    zh: '按 `errors` 修正所列字段；不要原样重试。',
    en: 'Mend the members that `errors` names; do not repeat it as it is.',
  },
  malformed_json: {
    zh: '发送有效的 JSON，或不发送正文。',
    en: 'Send valid JSON, or no body at all.',
  },
  unauthenticated: {
    zh: '重新登录，并在 `Authorization: Bearer` 里带上访问令牌。',
    en: 'Sign in and send the access token in `Authorization: Bearer`.',
  },
  token_expired: {
    zh: '用刷新令牌续期一次，再重发请求。',
    en: 'Renew the tokens once, then repeat the request.',
  },
  invalid_login_code: {
    zh: '重新调用 `wx.login`，用新的 code 再试一次；仍失败则检查小程序的 AppID。',
    en: "Call `wx.login` again and retry once with the new code; if it fails again, check the mini-program's AppID.",
  },
  invalid_refresh_token: {
    zh: '丢弃所存令牌，重新登录。',
    en: 'Discard the stored tokens and sign in.',
  },
  forbidden: {
    zh: '不要重试：该身份无权这样做。',
    en: 'Do not retry: this identity may not do it.',
  },
  user_disabled: {
    zh: '停止重试，请用户联系客服。',
    en: 'Stop retrying and lead the user to customer service.',
  },
  subscription_required: {
    zh: '引导用户购买套餐；付款后重试。',
    en: 'Offer the plans; retry after the payment.',
  },
  sale_not_allowed: {
    zh: '隐藏购买入口，显示 `listPlans` 的 `sale.message`。',
    en: 'Hide the way to buy and show `sale.message` of `listPlans`.',
  },
  device_not_registered: {
    zh: '请用户核对序列号；仍不行则联系客服。',
    en: 'Let the user check the serial number, then contact customer service.',
  },
  proof_required: {
    zh: '先取绑定质询，由设备签名，再带 `proof` 绑定。',
    en: 'Ask for a challenge, let the device sign it, bind with `proof`.',
  },
  proof_invalid: {
    zh: '取新的质询重新签名；密钥和消息都是文本本身。',
    en: 'Ask for a new challenge and sign again; key and message are the texts themselves.',
  },
  not_found: {
    zh: '检查路径；不要重试。',
    en: 'Check the path; do not retry.',
  },
  user_not_found: {
    zh: '检查编号；未绑定的设备不属于任何人。',
    en: 'Check the id; a device that is bound to nobody belongs to nobody.',
  },
  plan_not_found: {
    zh: '重新读取套餐列表，让用户另选。',
    en: 'Read the plans again and let the user choose.',
  },
  order_not_found: {
    zh: '检查订单号以及登录的用户；重新读取订单列表。',
    en: 'Check the number and who is signed in; read the list of orders again.',
  },
  device_not_found: {
    zh: '检查序列号；未登记的设备无需质询，可直接绑定。',
    en: 'Check the serial number; a device that is not known needs no challenge.',
  },
  report_not_found: {
    zh: '从本地列表删去，重新读取报告列表。',
    en: 'Drop it from your list and read the list again.',
  },
  method_not_allowed: {
    zh: '使用 `Allow` 头所列的方法。',
    en: 'Use a method that the header `Allow` names.',
  },
  price_changed: {
    zh: '重新读取套餐，请用户确认新价格。',
    en: 'Read the plans again and let the user agree to the new price.',
  },
  order_already_paid: {
    zh: '不要再付：读取订阅，显示付款成功。',
    en: 'Do not pay again: read the subscription and show the success.',
  },
  order_closed: {
    zh: '用新的 `Idempotency-Key` 重新购买。',
    en: 'Buy anew with a new `Idempotency-Key`.',
  },
  channel_not_supported: {
    zh: '提示用户更新微信和小程序；客户端支持虚拟支付时在 `channels` 中说明。',
    en: 'Ask the user to update; name `virtual` among `channels` where the client can pay by it.',
  },
  idempotency_in_progress: {
    zh: '等一秒，用同一键重试。',
    en: 'Wait for a second and repeat with the same key.',
  },
  device_already_bound: {
    zh: '请原主人先解绑，或联系客服。',
    en: 'Its owner has to let it go first, or customer service helps.',
  },
  device_limit_reached: {
    zh: '请用户先解绑一台设备。',
    en: 'Let the user unbind another device first.',
  },
  report_limit_reached: {
    zh: '请用户先删除旧报告。',
    en: 'Let the user delete old reports first.',
  },
  erasure_blocked: {
    zh: '取消未付订单，或等退款完成，然后再试。',
    en: 'Cancel the open order or wait for the refund, then try again.',
  },
  payload_too_large: {
    zh: '缩小正文：一般 64 KiB，报告 256 KiB。',
    en: 'Send less: 64 KiB, reports 256 KiB.',
  },
  unsupported_media_type: {
    zh: '使用 `Content-Type: application/json`。',
    en: 'Send `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    zh: '为这次购买生成新的键；同一键只能配同一内容。',
    en: 'Make a new key for this purchase; a key goes with one content.',
  },
  rate_limited: {
    zh: '等待 `Retry-After` 所示的秒数，再逐渐拉长间隔重试。',
    en: 'Wait for the seconds of `Retry-After`, then retry at growing intervals.',
  },
  internal_error: {
    zh: '几秒后重试一次；仍失败请把 `request_id` 告诉我们。',
    en: 'Retry once after some seconds; if it stays, tell us the `request_id`.',
  },
  payment_platform_error: {
    zh: '几秒后用同一键重试；已付款则调用 `syncOrder`。',
    en: 'Retry with the same key after some seconds; call `syncOrder` where the user has paid.',
  },
  payment_not_configured: {
    zh: '不要重试：支付需先由运营方开通。',
    en: 'Do not retry: the operator has to set payments up.',
  },
  login_not_configured: {
    zh: '不要重试：登录需先由运营方开通。',
    en: 'Do not retry: the operator has to set sign-in up.',
  },
  service_unavailable: {
    zh: '等待 `Retry-After` 所示的秒数后重试。',
    en: 'Retry after the seconds of `Retry-After`.',
  },
  payment_platform_timeout: {
    zh: '结果未知：用同一键重试，或调用 `syncOrder`，不要另建订单。',
    en: 'The outcome is unknown: repeat with the same key or call `syncOrder`; do not make another order.',
  },
  grant_limit_reached: {
    zh: '不要重试：下个自然月再赠送，或请运营在控制台处理。',
    en: 'Do not retry: give the days next month, or ask an operator to do it in the console.',
  },
  range_too_wide: {
    zh: '缩小 `from` 与 `to` 的范围后重试。',
    en: 'Narrow `from` and `to`, then retry.',
  },
} as const satisfies Partial<Record<ProblemCode, Told>>

/** A code that the REST interface may answer. */
export type RestCode = keyof typeof remedies

export const isRestCode = (code: string): code is RestCode => code in remedies
