import { IdempotencyKey, Purchase, PurchaseRequest, Subscription } from '@meridian/contracts'
import { getOwnOrder } from '../../orders/read-orders.ts'
import { buyPlan } from '../../payments/buy-plan.ts'
import { showSubscription } from '../../subscriptions/show-subscription.ts'
import { platformHeader } from './catalogue-routes.ts'
import { failures } from './failures.ts'
import { type RestApp, type RestServices, userOf } from './signed-in.ts'
import { toOrder } from './translate.ts'

const ofPurchase = [
  'invalid_request',
  'sale_not_allowed',
  'plan_not_found',
  'invalid_login_code',
  'channel_not_supported',
  'price_changed',
  'order_already_paid',
  'order_closed',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'payment_platform_error',
  'payment_not_configured',
  'payment_platform_timeout',
] as const

export function subscriptionRoutes(app: RestApp, { phones, paying }: RestServices): void {
  app.get('/subscription', { schema: { response: { 200: Subscription } } }, async (request) =>
    showSubscription(phones.database.pool, userOf(request).id),
  )

  app.post(
    '/subscription/purchase',
    {
      config: { limit: 'purchase', pays: true },
      schema: {
        headers: platformHeader.extend({ 'idempotency-key': IdempotencyKey.optional() }),
        body: PurchaseRequest,
        response: {
          200: Purchase,
          201: Purchase,
          ...failures(...ofPurchase),
        },
      },
    },
    async (request, reply) => {
      const { id: userId, openid } = userOf(request)
      const { outTradeNo, paymentParams, first } = await buyPlan(paying, {
        buyer: { userId, openid, requestId: request.id },
        planCode: request.body.plan_code,
        expectedAmountFen: request.body.expected_amount_fen ?? null,
        idempotencyKey: request.headers['idempotency-key'] ?? null,
        platform: request.headers['x-client-platform'],
        channels: request.body.channels,
        loginCode: request.body.login_code ?? null,
      })
      const order = await getOwnOrder(paying.database.prisma, { userId, outTradeNo })
      return reply.code(first ? 201 : 200).send({ order: toOrder(order), payment_params: paymentParams })
    },
  )
}
