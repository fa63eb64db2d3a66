import { StoredMessageTemplate } from '@meridian/contracts'

/** One template in a line: `template id | field=value, field=value | page`. */
export function templateText(stored: unknown): string {
  const template = StoredMessageTemplate.safeParse(stored).data
  if (!template) return typeof stored === 'string' ? stored : JSON.stringify(stored)
  const fields = Object.entries(template.fields).map(([field, value]) => `${field}=${value}`)
  return [template.id, fields.join(', '), ...(template.page ? [template.page] : [])].join(' | ')
}

const pairOf = (text: string): [string, string] => {
  const [name = '', ...rest] = text.split('=')
  return [name.trim(), rest.join('=').trim()]
}

/** Whatever was typed; whether it is a template is the shape's question. An id alone has the fields of old. */
function templateOf(text: string): unknown {
  const [id = '', fields, ...page] = text.split('|').map((part) => part.trim())
  if (fields === undefined) return id
  const said = fields.split(/[,，]/).filter((part) => part.trim() !== '')
  return {
    id,
    fields: Object.fromEntries(said.map(pairOf)),
    ...(page.length > 0 && { page: page.join('|') }),
  }
}

export const linesOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, template]) => `${name} = ${templateText(template)}`)
        .join('\n')
    : ''

export const templatesOf = (text: string): unknown =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(pairOf)
      .map(([name, template]) => [name, templateOf(template)]),
  )
