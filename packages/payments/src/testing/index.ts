export { createPlatform } from './create-platform.ts'
export { REPEAT_AFTER_SECONDS } from './deliver-notifications.ts'
export {
  type FaultInjection,
  type FaultKind,
  type FaultPlace,
  type FaultRule,
  faultKinds,
  pushFaultKinds,
} from './fault-injection.ts'
export { apiEnvironment } from './merchant-settings.ts'
export type { Delivery, Notification, NotificationChanges } from './notification-types.ts'
export { PhoneError } from './pay-order.ts'
export {
  type CertifiedKey,
  generatePlatformKeys,
  generateVirtualKeys,
  type PlatformKeys,
} from './platform-keys.ts'
export type {
  PlatformOrder,
  PlatformRefund,
  PushEventKind,
  RefundOpinionAnswer,
  VirtualItemRecord,
  VirtualOrderRecord,
  VirtualPayer,
  VirtualRefundRecord,
} from './platform-records.ts'
export { fileStore, type PlatformStore } from './platform-store.ts'
export type {
  BillDifference,
  KeyMode,
  Listener,
  MerchantSettings,
  PaymentChanges,
  PlantedOrder,
  Platform,
  PlatformCore,
  PlatformOptions,
  SeenRequest,
  SentMessage,
} from './platform-types.ts'
export { pushEventKinds } from './push-events.ts'
export { startPlatform } from './start-platform.ts'
export { VirtualPhoneError } from './virtual-orders.ts'
