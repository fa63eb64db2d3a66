export { DashboardSkeleton as default } from '../../../features/dashboard/dashboard-skeleton.tsx'
