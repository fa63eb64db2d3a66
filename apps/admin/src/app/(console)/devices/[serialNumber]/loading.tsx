export { DevicesSkeleton as default } from '../../../../features/devices/devices-skeleton.tsx'
