import { createSerializer } from 'nuqs/server'
import { type OrderListParams, orderListParsers } from './features/orders/order-list-params.ts'
import {
  type SubscriptionListParams,
  subscriptionListParsers,
} from './features/subscriptions/subscription-list-params.ts'

const orderQuery = createSerializer(orderListParsers)
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
}
