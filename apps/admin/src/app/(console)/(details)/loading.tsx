export { DetailSkeleton as default } from '../../../ui/detail-skeleton.tsx'
