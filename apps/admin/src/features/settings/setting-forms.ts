import { MessageTemplate, MessageValue, type ProgramBounds, StoredMessageTemplate } from '@meridian/contracts'

/** The numbers of the bounds, and where each stands in them. */
const boundPlaces = {
  frequencyMin: 'frequency_hz.min',
  frequencyMax: 'frequency_hz.max',
  widthMin: 'pulse_width_us.min',
  widthMax: 'pulse_width_us.max',
  durationMin: 'duration_minutes.min',
  durationMax: 'duration_minutes.max',
  monophasicFrequency: 'monophasic.frequency_hz',
  monophasicWidth: 'monophasic.pulse_width_us',
  product: 'frequency_times_pulse_width',
  share: 'default_percent_of_max',
} as const
type BoundNumber = keyof typeof boundPlaces

/** In the order of the form: what belongs together stands in one line. */
export const boundNumbers = [
  'frequencyMin',
  'frequencyMax',
  'widthMin',
  'widthMax',
  'durationMin',
  'durationMax',
  'monophasicFrequency',
  'monophasicWidth',
  'product',
  'share',
] as const satisfies readonly BoundNumber[]

/** What the form holds: text until it is read. */
type BoundsForm = Record<BoundNumber | 'contraindications' | 'refused', string>

export const formOfBounds = (bounds: ProgramBounds): BoundsForm => ({
  frequencyMin: String(bounds.frequency_hz.min),
  frequencyMax: String(bounds.frequency_hz.max),
  widthMin: String(bounds.pulse_width_us.min),
  widthMax: String(bounds.pulse_width_us.max),
  durationMin: String(bounds.duration_minutes.min),
  durationMax: String(bounds.duration_minutes.max),
  monophasicFrequency: String(bounds.monophasic.frequency_hz),
  monophasicWidth: String(bounds.monophasic.pulse_width_us),
  product: String(bounds.frequency_times_pulse_width),
  share: String(bounds.default_percent_of_max),
  contraindications: bounds.contraindications.map((words) => words.join(' / ')).join('\n'),
  refused: bounds.refused_body_parts.join(', '),
})

const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

const wordsOf = (text: string, between: RegExp): string[] =>
  text
    .split(between)
    .map((word) => word.trim())
    .filter(Boolean)

/** The bounds as they were typed; whether they hold is the shape's question. */
export const boundsOfForm = (form: BoundsForm): ProgramBounds => ({
  frequency_hz: { min: numberOf(form.frequencyMin), max: numberOf(form.frequencyMax) },
  pulse_width_us: { min: numberOf(form.widthMin), max: numberOf(form.widthMax) },
  duration_minutes: { min: numberOf(form.durationMin), max: numberOf(form.durationMax) },
  frequency_times_pulse_width: numberOf(form.product),
  monophasic: {
    frequency_hz: numberOf(form.monophasicFrequency),
    pulse_width_us: numberOf(form.monophasicWidth),
  },
  default_percent_of_max: numberOf(form.share),
  contraindications: wordsOf(form.contraindications, /\n/).map((line) => wordsOf(line, /[/／]/)),
  refused_body_parts: wordsOf(form.refused, /[,，、\n]/),
})

/** Which fields of the form are wrong, by where the shape finds fault; a range that is upside down at its end. */
export const faultyBounds = (paths: readonly string[]): ReadonlySet<keyof BoundsForm> => {
  const numbers = boundNumbers.filter((name) =>
    paths.some((path) => path === boundPlaces[name] || `${path}.max` === boundPlaces[name]),
  )
  const has = (list: string) => paths.some((path) => path.startsWith(list))
  return new Set([
    ...numbers,
    ...(has('contraindications') ? (['contraindications'] as const) : []),
    ...(has('refused_body_parts') ? (['refused'] as const) : []),
  ])
}

/** What may be said to a user by itself. */
export const purposes = ['expiry_reminder'] as const

export type FieldForm = { name: string; value: MessageValue }

/** What the form holds of one template: text until it is read. */
export type TemplateForm = { purpose: string; id: string; page: string; fields: readonly FieldForm[] }

export const emptyTemplate = (purpose: string): TemplateForm => ({
  purpose,
  id: '',
  page: '',
  fields: [{ name: '', value: 'plan' }],
})

/** The stored templates as forms; one that is none any more is begun anew. */
export function formsOf(value: unknown): TemplateForm[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([purpose, stored]) => {
    const template = StoredMessageTemplate.safeParse(stored).data
    if (!template) return emptyTemplate(purpose)
    const fields = Object.entries(template.fields).map(([name, says]) => ({ name, value: says }))
    return { purpose, id: template.id, page: template.page ?? '', fields }
  })
}

/** A template as it was typed; one that names a field twice has none, which its shape refuses. */
function templateOf({ id, page, fields }: TemplateForm) {
  const entries = fields.map(({ name, value }) => [name.trim(), value] as const)
  const once = new Set(entries.map(([name]) => name)).size === entries.length
  return {
    id: id.trim(),
    fields: once ? Object.fromEntries(entries) : {},
    ...(page.trim() && { page: page.trim() }),
  }
}

export const templatesOf = (forms: readonly TemplateForm[]): unknown =>
  Object.fromEntries(forms.map((form) => [form.purpose, templateOf(form)]))

type Faults = { id: boolean; page: boolean; fields: boolean }

/** Which parts of a template are wrong. */
export function faultsOf(form: TemplateForm): Faults {
  const issues = MessageTemplate.safeParse(templateOf(form)).error?.issues ?? []
  const at = (part: string) => issues.some(({ path }) => path[0] === part)
  return { id: at('id'), page: at('page'), fields: at('fields') }
}

const isHeld = (name: string, value: MessageValue): boolean =>
  MessageTemplate.safeParse({ id: 'any', fields: { [name.trim()]: value } }).success

/** Whether a field exists that cannot say this, where it could say something else. */
export const cannotHold = ({ name, value }: FieldForm): boolean =>
  !isHeld(name, value) && MessageValue.options.some((other) => isHeld(name, other))
