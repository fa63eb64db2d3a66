export { OrderSkeleton as default } from '../../../../features/orders/detail/order-skeleton.tsx'
