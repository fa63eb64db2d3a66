export { AlertsSkeleton as default } from '../../../../features/alerts/alerts-skeleton.tsx'
