import type { Pool } from 'pg'

/** Templates and programs that a sandbox begins with, so that a reminder and a treatment can be seen at once. */

export const sampleTemplates = {
  expiry_reminder: {
    id: 'SANDBOX-expiry-reminder',
    fields: { thing1: 'plan', time2: 'expires_at', thing3: 'notice' },
    page: 'pages/index/index',
  },
}

const contraindications = ['心脏起搏器等体内电子装置', '孕妇', '癫痫', '治疗部位皮肤破损']

const program = {
  waveform: 'biphasic',
  intensity_min: 1,
  intensity_max: 20,
  intensity_default: 5,
  contraindications,
}

export const sampleDiagnosis = {
  body_parts: [
    { code: 'shoulder', name: '肩部' },
    { code: 'lower_back', name: '腰部' },
    { code: 'calf', name: '小腿' },
  ],
  programs: [
    {
      ...program,
      ...{ code: 'shoulder_relax', name: '肩部舒缓', body_part: 'shoulder', premium: false },
      ...{ frequency_hz: 80, pulse_width_us: 200, duration_minutes: 15 },
    },
    {
      ...program,
      ...{ code: 'back_deep', name: '腰部深层放松', body_part: 'lower_back', premium: true },
      ...{ frequency_hz: 60, pulse_width_us: 220, duration_minutes: 20 },
    },
    {
      ...program,
      ...{ code: 'calf_recovery', name: '小腿运动恢复', body_part: 'calf', premium: true },
      ...{ frequency_hz: 10, pulse_width_us: 250, duration_minutes: 20 },
    },
  ],
}

const features = ['report_detail', 'manual_treatment']

/** The plans that every installation begins with. */
export const defaultPlans = [
  {
    code: 'monthly',
    name: '月度会员',
    description: '30 天全部功能',
    nameEn: 'Monthly plan',
    descriptionEn: 'All features for 30 days',
    days: 30,
    priceFen: 2900,
    badge: null,
    badgeEn: null,
  },
  {
    code: 'quarterly',
    name: '季度会员',
    description: '90 天全部功能',
    nameEn: 'Quarterly plan',
    descriptionEn: 'All features for 90 days',
    days: 90,
    priceFen: 7900,
    badge: '热门',
    badgeEn: 'Popular',
  },
  {
    code: 'yearly',
    name: '年度会员',
    description: '365 天全部功能',
    nameEn: 'Yearly plan',
    descriptionEn: 'All features for a year',
    days: 365,
    priceFen: 26800,
    badge: '最划算',
    badgeEn: 'Best value',
  },
]

/**
 * Inserts the rows a new installation needs: the three default plans, the settings with their first values, and a
 * diagnosis configuration, empty unless `samples` are wanted, as a sandbox wants them.
 * Never changes a row that exists, so it is safe to run at each deployment. With
 * samples the default plans have items of virtual payment that are called as they are.
 */
export async function seedDefaults(
  pool: Pool,
  { settings, samples = false }: { settings: Readonly<Record<string, unknown>>; samples?: boolean },
): Promise<void> {
  const diagnosis = samples ? sampleDiagnosis : { body_parts: [], programs: [] }
  for (const [index, plan] of defaultPlans.entries()) {
    await pool.query(
      `INSERT INTO plans (code, name, description, duration_days, price_fen, features, badge, sort_order, virtual_product_id,
         name_en, description_en, badge_en)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING`,
      [
        ...[plan.code, plan.name, plan.description, plan.days, plan.priceFen, features, plan.badge, index],
        samples ? plan.code : null,
        ...[plan.nameEn, plan.descriptionEn, plan.badgeEn],
      ],
    )
  }
  await pool.query(
    `INSERT INTO settings (key, value) SELECT key, value FROM jsonb_each($1::jsonb) ON CONFLICT (key) DO NOTHING`,
    [JSON.stringify(samples ? { ...settings, message_templates: sampleTemplates } : settings)],
  )
  await pool.query(
    `INSERT INTO diagnosis_versions (version, state, content, published_at)
     VALUES (1, 'published', $1::jsonb, business_now()) ON CONFLICT (version) DO NOTHING`,
    [JSON.stringify(diagnosis)],
  )
}
