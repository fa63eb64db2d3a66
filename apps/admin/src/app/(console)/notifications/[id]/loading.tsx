export { NotificationsSkeleton as default } from '../../../../features/notifications/notifications-skeleton.tsx'
