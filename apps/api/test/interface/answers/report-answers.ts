import { randomUUID } from 'node:crypto'
import { Report } from '@meridian/contracts'
import { relaxProgram } from '../../world/diagnosis-program.ts'
import type { Phone } from '../../world/phone.ts'
import { type Scenes, whileSetting } from './stage.ts'

const scan = (changes: object = {}) => ({
  client_report_id: randomUUID(),
  kind: 'scan',
  started_at: '2026-11-20T08:00:00Z',
  ended_at: '2026-11-20T08:05:00Z',
  summary: {},
  measurements: [{ value: 1 }],
  ...changes,
})
const store = (phone: Phone, body = scan()) => phone.call('/reports', { method: 'POST', body })
const stored = async (phone: Phone) => Report.parse((await store(phone)).body).id

const premium = { ...relaxProgram, code: 'deep', name: 'deep', premium: true }

export const reportAnswers: Scenes = {
  'POST /reports': {
    '201': ({ phone }) => store(phone),
    '200': async ({ phone }) => {
      const body = scan()
      await store(phone, body)
      return store(phone, body)
    },
    subscription_required: async ({ world, phone }) => {
      await world.query(
        `INSERT INTO diagnosis_versions (version, state, content, published_at) VALUES (2, 'published', $1, now())`,
        [JSON.stringify({ body_parts: [{ code: 'neck', name: 'neck' }], programs: [premium] })],
      )
      return store(phone, scan({ kind: 'treatment', program_code: premium.code }))
    },
    report_limit_reached: ({ world, phone }) =>
      whileSetting(world, ['reports_per_user', 1], async () => {
        await store(phone)
        return store(phone)
      }),
  },
  'GET /reports/{id}': {
    '200': async ({ phone }) => phone.call(`/reports/${await stored(phone)}`),
    report_not_found: ({ phone }) => phone.call(`/reports/${randomUUID()}`),
  },
  'DELETE /reports/{id}': {
    '204': async ({ phone }) => phone.call(`/reports/${await stored(phone)}`, { method: 'DELETE' }),
    report_not_found: ({ phone }) => phone.call(`/reports/${randomUUID()}`, { method: 'DELETE' }),
  },
}
