import { MessageTemplate, MessageValue, StoredMessageTemplate } from '@meridian/contracts'

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
