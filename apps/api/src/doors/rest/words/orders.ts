import { closedOrder, paidOrder, subscription } from './examples.ts'
import type { TagWords } from './operation-words.ts'

export const orders = {
  title: { zh: '订单', en: 'Orders' },
  description: {
    zh: '登录者自己的订单。别人的订单与不存在的订单同样回答 `order_not_found`。',
    en: "The signed-in person's own orders. Somebody else's is answered like one that does not exist: `order_not_found`.",
  },
  operations: {
    'GET /subscription/orders': {
      operationId: 'listOrders',
      summary: { zh: '列出本人订单', en: 'List your orders' },
      description: {
        zh: '由新到旧，包括未付的和已关闭的。',
        en: 'Newest first, unpaid and closed ones included.',
      },
      answers: { 200: { zh: '一页订单。', en: 'A page of orders.' } },
      answer: { items: [paidOrder], next_cursor: null },
    },
    'GET /subscription/orders/{out_trade_no}': {
      operationId: 'getOrder',
      summary: { zh: '读取一个订单', en: 'Read an order' },
      description: {
        zh: '我们此刻所知的订单，不询问支付平台。付款之后请改用 `syncOrder`。',
        en: 'The order as we know it now; the payment platform is not asked. After a payment use `syncOrder` instead.',
      },
      answers: { 200: { zh: '订单。', en: 'The order.' } },
      answer: { order: paidOrder },
    },
    'POST /subscription/orders/{out_trade_no}/sync': {
      operationId: 'syncOrder',
      summary: { zh: '向支付平台核实订单', en: 'Ask the platform about an order' },
      description: {
        zh: '付款界面关闭之后调用，**不论成功与否**：未付的订单会向支付平台查询，已付则立即发放天数。客户端的付款结果从不作数。仍为 `prepay` 时隔几秒再问，最多几次；之后由后台继续查询。可重复调用。虚拟支付界面的错误可放在 `sheet_error`。每人每分钟 30 次（与取消合计）。',
        en: 'Call it when the payment sheet has closed, **whatever the sheet said**: the platform is asked about an order that is not paid, and days are granted at once where it is. What a client says of its payment never counts. While it stays `prepay`, ask again after some seconds, a few times; the server goes on by itself. Safe to repeat. An error of the sheet of virtual payment can be told in `sheet_error`. 30 calls a minute and person, cancelling included.',
      },
      answers: { 200: { zh: '订单和订阅的现状。', en: 'The order and the subscription as they are now.' } },
      request: {},
      answer: { order: paidOrder, subscription },
    },
    'POST /subscription/orders/{out_trade_no}/cancel': {
      operationId: 'cancelOrder',
      summary: { zh: '取消订单', en: 'Cancel an order' },
      description: {
        zh: '用户不再想付款时调用。先向支付平台核实并关闭；若其实已付，则照常入账并回答 `order_already_paid`，此时请读取订阅。已关闭的订单照样回答 200。不调用也无妨：订单到 `expires_at` 自行关闭。',
        en: 'For a user who no longer wants to pay. The platform is asked, and the order is closed there; if it was paid after all, the payment counts and the answer is `order_already_paid`: read the subscription then. An order that is closed is answered 200 again. It is no harm to leave it: an order closes by itself at `expires_at`.',
      },
      answers: { 200: { zh: '已关闭的订单。', en: 'The closed order.' } },
      answer: { order: closedOrder },
    },
  },
} as const satisfies TagWords
