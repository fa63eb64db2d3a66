import type {
  DiagnosisConfig,
  Me,
  MeChanges,
  MessagePermissions,
  Order,
  Plan,
  Report,
} from '@meridian/contracts'
import type { showConfig } from '../../diagnosis/published-config.ts'
import type { OrderView } from '../../orders/read-orders.ts'
import type { PlanOnSale } from '../../plans/list-plans.ts'
import type { ReportView } from '../../reports/own-reports.ts'
import type { MessagePermission } from '../../users/message-permissions.ts'
import type { ProfileChanges, SignedInUser } from '../../users/own-account.ts'
import type { Language } from '../problem.ts'

/** An order in the words of the contract. */
export const toOrder = (order: OrderView): Order => ({
  out_trade_no: order.outTradeNo,
  status: order.status,
  channel: order.channel,
  plan: { code: order.planCode, name: order.planName, duration_days: order.durationDays },
  amount_fen: order.amountFen,
  refunded_fen: order.refundedFen,
  currency: 'CNY',
  created_at: order.createdAt.toISOString(),
  expires_at: order.expiresAt.toISOString(),
  paid_at: order.paidAt?.toISOString() ?? null,
  closed_at: order.closedAt?.toISOString() ?? null,
  imported: order.imported,
})

/** A plan in the words of the contract, in English where English is asked for and known. */
export const toPlan = (plan: PlanOnSale, language: Language): Plan => ({
  code: plan.code,
  name: (language === 'en' && plan.nameEn) || plan.name,
  description: (language === 'en' && plan.descriptionEn) || plan.description,
  duration_days: plan.durationDays,
  price_fen: plan.priceFen,
  list_price_fen: plan.listPriceFen,
  currency: 'CNY',
  features: plan.features,
  badge: (language === 'en' && plan.badgeEn) || plan.badge,
})

/** A user in the words of the contract. */
export const toMe = (user: SignedInUser): Me => ({
  id: user.id,
  nickname: user.nickname,
  avatar_url: user.avatarUrl,
  created_at: user.createdAt.toISOString(),
})

/** A report in the words of the contract, as a list holds it. */
export const toReportHead = (report: Omit<ReportView, 'measurements'>): Omit<Report, 'measurements'> => ({
  id: report.id,
  client_report_id: report.clientReportId,
  kind: report.kind,
  serial_number: report.serialNumber,
  started_at: report.startedAt.toISOString(),
  ended_at: report.endedAt.toISOString(),
  score: report.score,
  summary: report.summary,
  locked: report.locked,
  created_at: report.createdAt.toISOString(),
})

/** A report in the words of the contract: a locked one has no measurements. */
export const toReport = (report: ReportView): Report => ({
  ...toReportHead(report),
  ...(report.measurements && { measurements: report.measurements }),
})

/** The diagnosis configuration in the words of the contract. */
export const toDiagnosisConfig = (config: Awaited<ReturnType<typeof showConfig>>): DiagnosisConfig => ({
  version: config.version,
  published_at: config.publishedAt.toISOString(),
  body_parts: config.bodyParts,
  programs: config.programs,
})

/** What a person changes, in our own words: empty is none. */
export const toProfileChanges = ({ nickname, avatar_url: avatarUrl }: MeChanges): ProfileChanges => ({
  ...(nickname !== undefined && { nickname: nickname || null }),
  ...(avatarUrl !== undefined && { avatarUrl: avatarUrl || null }),
})

/** Permissions in the words of the contract. */
export const toMessagePermissions = (permissions: MessagePermission[]): MessagePermissions => ({
  items: permissions.map(({ template, templateId, remaining }) => ({
    template,
    template_id: templateId,
    remaining,
  })),
})
