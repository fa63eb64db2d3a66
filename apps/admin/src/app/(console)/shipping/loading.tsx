export { ShippingSkeleton as default } from '../../../features/shipping/shipping-skeleton.tsx'
