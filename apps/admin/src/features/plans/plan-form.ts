import { NewPlan, PlanText, parseYuan } from '@meridian/contracts'

/** What the form holds: text until it is read. */
export type PlanForm = {
  code: string
  name: string
  description: string
  duration: string
  features: string[]
  badge: string
  sortOrder: string
  onSale: boolean
  price: string
  listPrice: string
}

export const emptyPlan: PlanForm = {
  code: '',
  name: '',
  description: '',
  duration: '30',
  features: [],
  badge: '',
  sortOrder: '0',
  onSale: false,
  price: '',
  listPrice: '',
}

export const formOfPlan = (plan: PlanText): PlanForm => ({
  ...emptyPlan,
  name: plan.name,
  description: plan.description,
  duration: String(plan.durationDays),
  features: plan.features,
  badge: plan.badge ?? '',
  sortOrder: String(plan.sortOrder),
  onSale: plan.onSale,
})

const numberOf = (text: string): number => (/^-?\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN)

const textOf = (form: PlanForm) => ({
  name: form.name,
  description: form.description,
  durationDays: numberOf(form.duration),
  features: form.features,
  badge: form.badge.trim() || null,
  sortOrder: numberOf(form.sortOrder),
  onSale: form.onSale,
})

export type PlanField =
  | 'code'
  | 'name'
  | 'description'
  | 'durationDays'
  | 'badge'
  | 'sortOrder'
  | 'priceFen'
  | 'listPriceFen'

/** An amount typed in yuan; an empty one is none. */
export const optionalYuan = (text: string): number | null =>
  text.trim() === '' ? null : (parseYuan(text) ?? Number.NaN)

/** What the form says, or null while a field is wrong; `faulty` tells which. */
export function readPlanText(form: PlanForm): { plan: PlanText | null; faulty: ReadonlySet<string> } {
  const read = PlanText.safeParse(textOf(form))
  return { plan: read.data ?? null, faulty: new Set(read.error?.issues.map(({ path }) => String(path[0]))) }
}

export function readNewPlan(form: PlanForm): { plan: NewPlan | null; faulty: ReadonlySet<string> } {
  const read = NewPlan.safeParse({
    ...textOf(form),
    code: form.code.trim(),
    priceFen: parseYuan(form.price),
    listPriceFen: optionalYuan(form.listPrice),
  })
  return { plan: read.data ?? null, faulty: new Set(read.error?.issues.map(({ path }) => String(path[0]))) }
}
