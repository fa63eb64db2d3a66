export type { CertifiedKey, PlatformKeys } from './platform-keys.ts'
export type {
  Delivery,
  KeyMode,
  Listener,
  MerchantSettings,
  Notification,
  NotificationChanges,
  PaymentChanges,
  Platform,
  PlatformCore,
  PlatformOptions,
  PlatformOrder,
  PlatformRefund,
  SeenRequest,
} from './platform-types.ts'
export { createPlatform, generatePlatformKeys, startPlatform } from './start-platform.ts'
export type { Weather, WeatherKind, WeatherPlace, WeatherRule } from './weather.ts'
