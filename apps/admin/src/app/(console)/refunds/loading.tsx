export { RefundsSkeleton as default } from '../../../features/refunds/refunds-skeleton.tsx'
