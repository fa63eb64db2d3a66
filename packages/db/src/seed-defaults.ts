import type { Pool } from 'pg'
import { sampleDiagnosis, sampleTemplates } from './sample-content.ts'

const features = ['report_detail', 'manual_treatment']

const defaultPlans = [
  { code: 'monthly', name: '月度会员', description: '30 天全部功能', days: 30, priceFen: 2900, badge: null },
  {
    code: 'quarterly',
    name: '季度会员',
    description: '90 天全部功能',
    days: 90,
    priceFen: 7900,
    badge: '热门',
  },
  {
    code: 'yearly',
    name: '年度会员',
    description: '365 天全部功能',
    days: 365,
    priceFen: 26800,
    badge: '最划算',
  },
]

const saleAllowed = { allowed: true, message: null }

/** The server settings and their first values; bounds and types live in the program that reads them. */
const defaultSettings: Readonly<Record<string, unknown>> = {
  order_ttl_minutes: 30,
  late_payment_policy: 'activate',
  refund_approval_threshold_fen: 20000,
  price_floor_fen_per_day: 10,
  sale_policy: { ios: saleAllowed, android: saleAllowed, other: saleAllowed },
  free_features: [],
  granted_features: features,
  trial_days_on_first_binding: 0,
  max_devices_per_user: 5,
  device_registration: 'open',
  reports_per_user: 2000,
  upload_shipping_info: false,
  message_templates: {},
  expiry_reminder_days: [7, 1],
  program_bounds: {
    frequency_hz: { min: 1, max: 150 },
    pulse_width_us: { min: 50, max: 400 },
    duration_minutes: { min: 1, max: 60 },
    frequency_times_pulse_width: 30_000,
    monophasic: { frequency_hz: 100, pulse_width_us: 250 },
    default_percent_of_max: 50,
    contraindications: [
      ['pacemaker', '起搏器'],
      ['pregnan', '孕', '妊娠'],
      ['epilep', '癫痫'],
    ],
    refused_body_parts: [
      'chest',
      'thorax',
      'throat',
      'front neck',
      'neck front',
      'front of the neck',
      'head',
      'forehead',
      'eye',
      'eyes',
      '胸',
      '颈前',
      '前颈',
      '喉',
      '头部',
      '头顶',
      '额头',
      '眼',
    ],
  },
  support_contact: '',
}

/**
 * Inserts the rows a new installation needs: the three default plans, every setting and a diagnosis configuration,
 * empty unless `samples` are wanted, as a sandbox wants them.
 * Never changes a row that exists, so it is safe to run at each deployment.
 */
export async function seedDefaults(pool: Pool, { samples = false } = {}): Promise<void> {
  const settings = samples ? { ...defaultSettings, message_templates: sampleTemplates } : defaultSettings
  const diagnosis = samples ? sampleDiagnosis : { body_parts: [], programs: [] }
  for (const [index, plan] of defaultPlans.entries()) {
    await pool.query(
      `INSERT INTO plans (code, name, description, duration_days, price_fen, features, badge, sort_order)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (code) DO NOTHING`,
      [plan.code, plan.name, plan.description, plan.days, plan.priceFen, features, plan.badge, index],
    )
  }
  await pool.query(
    `INSERT INTO settings (key, value) SELECT key, value FROM jsonb_each($1::jsonb) ON CONFLICT (key) DO NOTHING`,
    [JSON.stringify(settings)],
  )
  await pool.query(
    `INSERT INTO diagnosis_versions (version, state, content, published_at)
     VALUES (1, 'published', $1::jsonb, business_now()) ON CONFLICT (version) DO NOTHING`,
    [JSON.stringify(diagnosis)],
  )
}
