export type {
  Challenge,
  Device,
  DiagnosisConfig,
  Me,
  MessagePermission,
  Order,
  Page,
  PaymentParams,
  Plan,
  Report,
  Subscription,
} from './answers.ts'
export type { ClientSettings } from './call-api.ts'
export { createClient, type MeridianClient } from './client.ts'
export type { Outcome } from './find-payment.ts'
export { type FetchPhone, onFetch } from './on-fetch.ts'
export { onWx, type Wx } from './on-wx.ts'
export type { Phone, PhoneAnswer, PhoneRequest, SheetAnswer } from './phone.ts'
export type { Offers, PlanChoice } from './plans.ts'
export { type ClientProblemCode, isProblem, ProblemError } from './problem.ts'
export type { ProblemCode } from './problem-code.ts'
export type { BindRequest, ReportRequest } from './requests.ts'
