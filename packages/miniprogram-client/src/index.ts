export type {
  Challenge,
  Device,
  DiagnosisConfig,
  JsapiPaymentParams,
  Me,
  MessagePermission,
  Order,
  Page,
  PaymentChannel,
  PaymentParams,
  Plan,
  Report,
  Subscription,
  VirtualPaymentParams,
} from './answers.ts'
export type { ClientSettings } from './call-api.ts'
export { type BindRequest, createClient, type MeridianClient, type ReportRequest } from './client.ts'
export type { Outcome } from './payment-attempt.ts'
export type { Phone, PhoneAnswer, PhoneRequest, SheetAnswer } from './phone.ts'
export { type FetchPhone, onFetch, onWx, type Wx } from './phones.ts'
export type { Offers, PlanChoice } from './plans.ts'
export { type ClientProblemCode, isProblem, type ProblemCode, ProblemError } from './problem.ts'
