import { z } from 'zod'
import { lineOf } from '../text.ts'
import { ReportKind } from './report.ts'

export const LoginRequest = z.object({ code: z.string().min(1).max(256) })
export const RefreshRequest = z.object({ refresh_token: z.string().min(1).max(256) })

export const TokenPair = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
})
export type TokenPair = z.infer<typeof TokenPair>

export const Me = z.object({
  id: z.uuid(),
  nickname: z.string().nullable(),
  avatar_url: z.string().nullable(),
  created_at: z.iso.datetime(),
})
export type Me = z.infer<typeof Me>

/** Whether an address holds neither a user name nor a password. */
function namesNobody(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}

/** What a person may change about themselves: absent stays as it is, null and empty are removed. */
export const MeChanges = z.object({
  nickname: lineOf(64).nullish(),
  avatar_url: z
    .url({ protocol: /^https$/ })
    .max(512)
    .regex(/^https:\/\/[^\s\p{Cc}]+$/u)
    .refine(namesNobody, {
      params: { zh: '不能包含用户名或密码', en: 'may not contain a user name or password' },
    })
    .nullish(),
})
export type MeChanges = z.infer<typeof MeChanges>

/** `code`: a fresh one of `wx.login`, by the person whose account it is. */
export const EraseRequest = z.object({ confirm: z.literal('DELETE'), code: z.string().min(1).max(256) })

export const MessagePermissions = z.object({
  items: z.array(z.object({ template: z.string(), template_id: z.string(), remaining: z.int() })),
})
export type MessagePermissions = z.infer<typeof MessagePermissions>

/** One message of this kind allowed, in `wx.requestSubscribeMessage`. */
export const MessagePermission = z.object({ template: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/) })

const Instant = z.iso.datetime()
const Json = z.unknown()

/** Everything that is kept about a person. */
export const AccountExport = z.object({
  exported_at: Instant,
  profile: z.object({
    id: z.uuid(),
    openid: z.string(),
    nickname: z.string().nullable(),
    avatar_url: z.string().nullable(),
    created_at: Instant,
  }),
  subscription: z.object({
    expires_at: Instant.nullable(),
    feature_expires_at: z.record(z.string(), z.string()),
  }),
  grants: z.array(
    z.object({
      kind: z.string(),
      days: z.int(),
      features: z.array(z.string()),
      plan_code: z.string().nullable(),
      serial_number: z.string().nullable(),
      reason: z.string().nullable(),
      effective_at: Instant,
      expires_after: Instant,
    }),
  ),
  orders: z.array(
    z.object({
      out_trade_no: z.string(),
      status: z.string(),
      plan_code: z.string(),
      plan_name: z.string(),
      amount_fen: z.int(),
      refunded_fen: z.int(),
      transaction_id: z.string().nullable(),
      created_at: Instant,
      paid_at: Instant.nullable(),
      closed_at: Instant.nullable(),
    }),
  ),
  refunds: z.array(
    z.object({
      out_refund_no: z.string(),
      out_trade_no: z.string(),
      amount_fen: z.int(),
      status: z.string(),
      created_at: Instant,
      succeeded_at: Instant.nullable(),
    }),
  ),
  devices: z.array(
    z.object({
      serial_number: z.string(),
      model: z.string().nullable(),
      mac_address: z.string().nullable(),
      firmware_version: z.string().nullable(),
      nickname: z.string().nullable(),
      bound_at: Instant,
      unbound_at: Instant.nullable(),
      end_reason: z.string().nullable(),
    }),
  ),
  reports: z.array(
    z.object({
      id: z.uuid(),
      client_report_id: z.string(),
      kind: ReportKind,
      serial_number: z.string().nullable(),
      program_code: z.string().nullable(),
      started_at: Instant,
      ended_at: Instant,
      score: z.number().nullable(),
      summary: Json,
      measurements: Json,
      created_at: Instant,
    }),
  ),
  /** What the company's staff wrote about them. */
  notes: z.array(z.object({ subject_kind: z.string(), text: z.string(), created_at: Instant })),
  /** What the company's staff marked them and their orders with. */
  tags: z.array(z.object({ subject_kind: z.string(), label: z.string(), created_at: Instant })),
  /** What was taken over about them from other systems, by the names these gave it. */
  imports: z.array(
    z.object({ kind: z.string(), source: z.string(), source_id: z.string(), imported_at: Instant }),
  ),
  message_permissions: z.array(z.object({ template: z.string(), remaining: z.int(), updated_at: Instant })),
  reminders: z.array(z.object({ expires_at: Instant, days_before: z.int(), sent_at: Instant.nullable() })),
  sessions: z.array(z.object({ created_at: Instant, expires_at: Instant, revoked_at: Instant.nullable() })),
})
export type AccountExport = z.infer<typeof AccountExport>
