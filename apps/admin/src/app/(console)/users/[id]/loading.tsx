export { UsersSkeleton as default } from '../../../../features/users/users-skeleton.tsx'
