export { OrdersSkeleton as default } from '../../../features/orders/orders-skeleton.tsx'
