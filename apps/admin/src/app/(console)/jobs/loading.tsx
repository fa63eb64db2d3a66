export { JobsSkeleton as default } from '../../../features/jobs/jobs-skeleton.tsx'
