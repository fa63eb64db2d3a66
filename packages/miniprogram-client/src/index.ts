export type {
  BindRequest,
  Challenge,
  Device,
  DiagnosisConfig,
  Me,
  Order,
  PaymentParams,
  Plan,
  ProblemCode,
  Report,
  ReportRequest,
  Subscription,
} from '@meridian/contracts'
export type { ClientSettings } from './call-api.ts'
export { createClient, type MeridianClient, type MessagePermission, type Page } from './client.ts'
export { type FetchPhone, onFetch } from './on-fetch.ts'
export { onWx, type Wx } from './on-wx.ts'
export type { Outcome } from './pay.ts'
export type { Phone, PhoneAnswer, PhoneRequest, SheetAnswer } from './phone.ts'
export type { Offers, PlanChoice } from './plans.ts'
export { type ClientProblemCode, isProblem, ProblemError } from './problem.ts'
