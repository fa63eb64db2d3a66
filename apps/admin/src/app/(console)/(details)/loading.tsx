export { DetailSkeleton as default } from '../../../ui/detail-page.tsx'
