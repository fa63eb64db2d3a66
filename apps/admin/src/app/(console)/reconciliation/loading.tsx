export { ReconciliationSkeleton as default } from '../../../features/reconciliation/reconciliation-skeleton.tsx'
