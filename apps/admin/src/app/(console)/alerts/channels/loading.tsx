export { AlertChannelsSkeleton as default } from '../../../../features/alert-channels/alert-channels-skeleton.tsx'
