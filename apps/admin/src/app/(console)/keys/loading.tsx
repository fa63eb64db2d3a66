export { KeysSkeleton as default } from '../../../features/keys/keys-skeleton.tsx'
