import { createSerializer } from 'nuqs/server'
import { type OrderListParams, orderListParsers } from './features/orders/order-list-params.ts'
import { type DeskParams, deskParsers } from './features/reconciliation/reconciliation-params.ts'
import { type ShippingParams, shippingParsers } from './features/shipping/shipping-params.ts'
import {
  type SubscriptionListParams,
  subscriptionListParsers,
} from './features/subscriptions/subscription-list-params.ts'

const orderQuery = createSerializer(orderListParsers)
const deskQuery = createSerializer(deskParsers)
const shippingQuery = createSerializer(shippingParsers)
const subscriptionQuery = createSerializer(subscriptionListParsers)

const withReturn = (path: string, returnPath?: string | null) =>
  returnPath && returnPath !== '/' ? `${path}?${new URLSearchParams({ next: returnPath })}` : path

/** Every address of the console is made here. */
export const paths = {
  home: () => '/orders',
  signIn: (returnPath?: string | null) => withReturn('/sign-in', returnPath),
  newPassword: () => '/new-password',
  secondFactor: () => '/second-factor',
  orders: (params: Partial<OrderListParams> = {}) => orderQuery('/orders', params),
  order: ({ outTradeNo }: { outTradeNo: string }) => `/orders/${encodeURIComponent(outTradeNo)}`,
  subscriptions: (params: Partial<SubscriptionListParams> = {}) =>
    subscriptionQuery('/subscriptions', params),
  subscription: ({ userId }: { userId: string }) => `/subscriptions/${encodeURIComponent(userId)}`,
  reconciliation: (params: Partial<DeskParams> = {}) => deskQuery('/reconciliation', params),
  reconciledDay: ({ date }: { date: string }) => `/reconciliation/${date}`,
  shipping: (params: Partial<ShippingParams> = {}) => shippingQuery('/shipping', params),
}
