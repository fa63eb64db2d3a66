export type {
  AbsentBill,
  FundFlowBill,
  FundFlowRow,
  ReadyBill,
  TradeBill,
  TradeBillRow,
} from './bills/bill.ts'
export { type PaymentSettings, PaymentSettingsError, type SettingProblem } from './check-settings.ts'
export { createPayments } from './client.ts'
export {
  type ConfirmedPayment,
  type GoodsFacts,
  type PaymentSource,
  virtualTradeType,
} from './confirmed-payment.ts'
export type { ConfirmedRefund, RefundStatus } from './confirmed-refund.ts'
export { createMiniProgram } from './mini-program/create-mini-program.ts'
export {
  type MiniProgram,
  MiniProgramError,
  type MiniProgramReason,
  type MiniProgramSettings,
  type ShippingInformation,
  type SubscribeMessage,
} from './mini-program/mini-program.ts'
export type {
  AbnormalRefund,
  Answered,
  HeaderBag,
  KeyReport,
  OrderAnswer,
  PaymentParams,
  Payments,
  PlatformKey,
  PrepayOrder,
  ReceivedNotification,
  RefundAnswer,
  RefundQueryAnswer,
  RefundRequest,
  Reread,
  VerifiedNotification,
} from './payments.ts'
export {
  type Advice,
  type CallReason,
  type NotificationReason,
  PaymentsError,
  type PaymentsReason,
  type SignedOrigin,
} from './payments-error.ts'
export {
  type CallOutcome,
  type PlatformCall,
  type Runtime,
  systemRuntime,
  type TracedCall,
} from './runtime.ts'
export type { PushQuery } from './virtual/push.ts'
export {
  type AppleInquiry,
  type ComplaintNotice,
  PUSH_SERIAL,
  type RiskNotice,
  type VerifiedPush,
} from './virtual/read-push.ts'
export type { Settlement, VirtualEnv, VirtualOrder, VirtualOrderState } from './virtual/virtual-order.ts'
export type {
  ItemTask,
  RawBill,
  RefundOpinion,
  VirtualAnswer,
  VirtualAttempt,
  VirtualBill,
  VirtualItem,
  VirtualPaymentParams,
  VirtualPayments,
  VirtualRefund,
  VirtualRefundReason,
  VirtualSettings,
} from './virtual/virtual-payments.ts'
