import { subscription as current, order, planOnSale } from './examples.ts'
import type { TagWords } from './operation-words.ts'

const purchase = {
  order,
  payment_params: {
    timeStamp: '1763625600',
    nonceStr: '5K8264ILTKCH16CQ2502SI8ZNMTM67VS',
    package: 'prepay_id=wx201410272009395522657a690389285100',
    signType: 'RSA',
    paySign: 'oR9d8PuhnIc+YZ8cBHFCwfgpaK9gd7vaRvkYD7rthRAZ',
  },
}

export const subscription = {
  title: { zh: '订阅', en: 'Subscription' },
  description: {
    zh: '在售套餐、购买，以及登录者现在有权使用什么。',
    en: 'The plans on sale, buying one, and what the signed-in person may use now.',
  },
  operations: {
    'GET /subscription/plans': {
      operationId: 'listPlans',
      summary: { zh: '列出在售套餐', en: 'List the plans on sale' },
      description: {
        zh: '不需要登录。名称随 `Accept-Language`，是否可售随 `X-Client-Platform`。先看 `sale.allowed`：为 false 时不要显示购买按钮，而是显示 `sale.message`。可缓存 60 秒；带上 `If-None-Match` 则未变时回答 304。',
        en: 'Needs no sign-in. Names follow `Accept-Language`, what may be sold follows `X-Client-Platform`. Look at `sale.allowed` first: where it is false, show `sale.message` instead of a way to buy. May be kept for 60 seconds; with `If-None-Match` an unchanged list is answered by 304.',
      },
      answers: {
        200: { zh: '套餐和销售规则。', en: 'Plans, and the rule of sale.' },
        304: { zh: '与您所持的相同。', en: 'The same as what you have.' },
      },
      answer: { plans: [planOnSale], sale: { allowed: true, channel: 'jsapi', message: null } },
    },
    'GET /subscription': {
      operationId: 'getSubscription',
      summary: { zh: '读取本人订阅', en: 'Read your subscription' },
      description: {
        zh: '登录者现在能用什么。判断权限请看 `is_active` 和 `features`，不要自己计算 `expires_at`。`remaining_days` 向上取整。每次启动和每次付款之后读取。',
        en: 'What the signed-in person may use now. Decide by `is_active` and `features` and do not calculate with `expires_at`. `remaining_days` is rounded up. Read it at every start and after every payment.',
      },
      answers: {
        200: { zh: '订阅；没有时为 inactive。', en: 'The subscription; inactive where there is none.' },
      },
      answer: current,
    },
    'POST /subscription/purchase': {
      operationId: 'purchasePlan',
      summary: { zh: '购买套餐', en: 'Buy a plan' },
      description: {
        zh: '建立订单并回答付款参数。`order.channel` 为 `jsapi` 时交给 `wx.requestPayment`，为 `virtual` 时交给 `wx.requestVirtualPayment`；付款后调用 `syncOrder`。\n\n**幂等：**每次点击购买生成一个 `Idempotency-Key`，重试时沿用：同一键同一内容得到同一订单（200），内容不同则为 `idempotency_key_reused`。\n\n`expected_amount_fen` 是用户看到的价格，已变化时回答 `price_changed`。虚拟支付需要 `channels` 含 `virtual`，以及一个新的 `login_code`。每人每分钟 10 次。',
        en: 'Makes an order and answers what to pay with: hand it to `wx.requestPayment` where `order.channel` is `jsapi`, to `wx.requestVirtualPayment` where it is `virtual`; then call `syncOrder`.\n\n**Idempotency:** make one `Idempotency-Key` per press of the button and keep it for retries: the same key and content get the same order (200), other content is `idempotency_key_reused`.\n\n`expected_amount_fen` is the price the user saw; another price is `price_changed`. Virtual payment takes `virtual` among `channels` and a fresh `login_code`. 10 calls a minute and person.',
      },
      answers: {
        200: { zh: '先前的订单：此次为重复请求。', en: 'The order of before: this was a repeat.' },
        201: { zh: '新的订单。', en: 'A new order.' },
      },
      request: { plan_code: 'monthly', expected_amount_fen: 2900, channels: ['jsapi'] },
      answer: purchase,
    },
  },
} as const satisfies TagWords
