export { SubscriptionsSkeleton as default } from '../../../../features/subscriptions/subscriptions-skeleton.tsx'
