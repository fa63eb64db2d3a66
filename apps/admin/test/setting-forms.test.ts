import { defaultProgramBounds, ProgramBounds, settingShapes } from '@meridian/contracts'
import { describe, expect, test } from 'vitest'
import {
  boundsOfForm,
  cannotHold,
  emptyTemplate,
  faultsOf,
  faultyBounds,
  formOfBounds,
  formsOf,
  templatesOf,
} from '../src/features/settings/setting-forms.ts'

const form = formOfBounds(defaultProgramBounds)
const faultsIn = (changes: Partial<typeof form>) => {
  const issues = ProgramBounds.safeParse(boundsOfForm({ ...form, ...changes })).error?.issues ?? []
  return [...faultyBounds(issues.map(({ path }) => path.join('.')))]
}

describe('the form of the bounds of programs', () => {
  test('gives back what it was made of', () => {
    expect(boundsOfForm(form)).toEqual(defaultProgramBounds)
    expect(faultsIn({})).toEqual([])
  })

  test('takes one contraindication from each line and its words from between the slashes', () => {
    const { contraindications, refused_body_parts } = boundsOfForm({
      ...form,
      contraindications: 'pacemaker / 起搏器\n\n孕',
      refused: 'head， 眼、 eye,',
    })
    expect(contraindications).toEqual([['pacemaker', '起搏器'], ['孕']])
    expect(refused_body_parts).toEqual(['head', '眼', 'eye'])
  })

  test('names the field that is wrong: no number, beyond its limit, a range upside down, a line without a word', () => {
    expect(faultsIn({ frequencyMin: '' })).toEqual(['frequencyMin'])
    expect(faultsIn({ monophasicWidth: '1001' })).toEqual(['monophasicWidth'])
    expect(faultsIn({ durationMin: '61' })).toEqual(['durationMax'])
    expect(faultsIn({ contraindications: '/' })).toEqual(['contraindications'])
  })
})

const template = { id: 'AbC_1', fields: { thing4: 'plan', time2: 'expires_at' }, page: 'pages/plans/plans' }

describe('the form of message templates', () => {
  test('gives back what it was made of, and reads the older form with the fields it always had', () => {
    expect(templatesOf(formsOf({ expiry_reminder: template }))).toEqual({ expiry_reminder: template })
    expect(templatesOf(formsOf({ expiry_reminder: 'AbC_1' }))).toEqual({
      expiry_reminder: { id: 'AbC_1', fields: { thing1: 'plan', time2: 'expires_at', thing3: 'notice' } },
    })
  })

  test('leaves out a page that is not given, and is refused while a field stands in it twice', () => {
    const [one = emptyTemplate('expiry_reminder')] = formsOf({ expiry_reminder: template })
    expect(templatesOf([{ ...one, page: ' ' }])).not.toHaveProperty('expiry_reminder.page')
    const twice = { ...one, fields: [...one.fields, { name: 'thing4', value: 'notice' as const }] }
    expect(settingShapes.message_templates.safeParse(templatesOf([twice])).success).toBe(false)
    expect(faultsOf(twice)).toEqual({ id: false, page: false, fields: true })
  })

  test('tells a field that cannot hold its value from one that is named wrong', () => {
    expect(cannotHold({ name: 'time2', value: 'plan' })).toBe(true)
    expect(cannotHold({ name: 'thing2', value: 'plan' })).toBe(false)
    expect(cannotHold({ name: 'plan', value: 'plan' })).toBe(false)
  })
})
