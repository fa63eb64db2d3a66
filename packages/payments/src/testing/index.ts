export { apiEnvironment } from './api-environment.ts'
export { createPlatform } from './create-platform.ts'
export { REPEAT_AFTER_SECONDS } from './deliver-notifications.ts'
export {
  type FaultInjection,
  type FaultKind,
  type FaultPlace,
  type FaultRule,
  faultKinds,
} from './fault-injection.ts'
export { PhoneError } from './pay-order.ts'
export type { CertifiedKey, PlatformKeys } from './platform-keys.ts'
export { generatePlatformKeys } from './platform-keys.ts'
export type { PlatformStore } from './platform-store.ts'
export { fileStore } from './platform-store.ts'
export type {
  BillDifference,
  Delivery,
  KeyMode,
  Listener,
  MerchantSettings,
  Notification,
  NotificationChanges,
  PaymentChanges,
  PlantedOrder,
  Platform,
  PlatformCore,
  PlatformOptions,
  PlatformOrder,
  PlatformRefund,
  SeenRequest,
  SentMessage,
} from './platform-types.ts'
export { startPlatform } from './start-platform.ts'
