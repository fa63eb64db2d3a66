'use client'

import {
  defaultProgramBounds,
  knownFeatures,
  ProgramBounds,
  parseYuan,
  type SettingKey,
  type SettingValue,
  settingShapes,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Field } from '../../ui/form.tsx'
import { Input, TextArea } from '../../ui/input.tsx'
import { CheckList, RadioList } from '../../ui/native-choices.tsx'
import { useFeatureName } from '../subscriptions/subscription-words.tsx'
import { SaleEditor } from './sale-editor.tsx'
import { boundNumbers, boundsOfForm, faultyBounds, formOfBounds } from './setting-forms.ts'
import styles from './settings.module.css'
import { TemplatesEditor } from './templates-editor.tsx'

type BoundsEditorProps = { value: unknown; change: (value: unknown) => void }

/** The bounds of programs, number by number and word by word. */
function BoundsEditor({ value, change }: BoundsEditorProps) {
  const t = useTranslations('programBounds')
  const [form, setForm] = useState(() =>
    formOfBounds(ProgramBounds.safeParse(value).data ?? defaultProgramBounds),
  )
  const issues = ProgramBounds.safeParse(boundsOfForm(form)).error?.issues ?? []
  const faulty = faultyBounds(issues.map(({ path }) => path.join('.')))
  const type = (typed: Partial<typeof form>) => {
    const next = { ...form, ...typed }
    setForm(next)
    change(boundsOfForm(next))
  }
  const words = { contraindications: t('contraindicationsHint'), refused: t('refusedHint') }
  return (
    <>
      <div className={styles['pairs']}>
        {boundNumbers.map((name) => (
          <Field
            key={name}
            label={t(`fields.${name}`)}
            hint={name === 'product' ? t('productHint') : null}
            fault={faulty.has(name) ? t('fault') : null}
          >
            {(attributes) => (
              <Input
                {...attributes}
                inputMode="decimal"
                autoComplete="off"
                value={form[name]}
                onChange={(event) => type({ [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      {(['contraindications', 'refused'] as const).map((name) => (
        <Field
          key={name}
          label={t(`fields.${name}`)}
          hint={words[name]}
          fault={faulty.has(name) ? t('wordsFault') : null}
        >
          {(attributes) => (
            <TextArea
              {...attributes}
              rows={4}
              value={form[name]}
              onChange={(event) => type({ [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </>
  )
}

type EditorProps = { settingKey: SettingKey; value: unknown; change: (value: unknown) => void }

type TextEditorProps = EditorProps & {
  show: (value: unknown) => string
  read: (text: string) => unknown
  prefix?: string
}

/** A value that is typed: what is typed stays as it is, what it means is what changes. */
function TextEditor({ settingKey, value, change, show, read, prefix }: TextEditorProps) {
  const t = useTranslations('settings')
  const [text, setText] = useState(() => show(value))
  const fault = settingShapes[settingKey].safeParse(value).success ? null : t(`bounds.${settingKey}`)
  const type = (typed: string) => {
    setText(typed)
    change(read(typed))
  }
  return (
    <Field label={t('newValue')} hint={t(`bounds.${settingKey}`)} fault={fault}>
      {(attributes) => (
        <Input
          {...attributes}
          autoComplete="off"
          {...(prefix && { prefix })}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
      )}
    </Field>
  )
}

const numberOf = (text: string): unknown => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : text)

const daysOf = (text: string): unknown =>
  text
    .split(/[,，\s]+/)
    .filter(Boolean)
    .map(numberOf)

function FeatureEditor({ settingKey, value, change }: EditorProps) {
  const t = useTranslations('settings')
  const featureName = useFeatureName()
  const chosen = Array.isArray(value) ? value.map(String) : []
  const features = [...new Set<string>([...knownFeatures, ...chosen])]
  return (
    <CheckList
      label={t(`names.${settingKey}`)}
      options={features.map((feature) => ({ value: feature, label: featureName(feature) }))}
      chosen={chosen}
      choose={change}
    />
  )
}

type Choice = SettingValue<'late_payment_policy' | 'device_registration' | 'ios_refund_opinion'>

function ChoiceEditor({ settingKey, value, change, choices }: EditorProps & { choices: readonly Choice[] }) {
  const t = useTranslations('settings')
  return (
    <RadioList
      label={t(`names.${settingKey}`)}
      options={choices.map((choice) => ({ value: choice, label: t(`choices.${choice}`) }))}
      value={String(value)}
      choose={change}
    />
  )
}

const inYuan = (value: unknown): string => (Number(value) / 100).toFixed(2)

/** The typed control of one setting. */
export function SettingEditor(props: EditorProps) {
  const { settingKey, value, change } = props
  const t = useTranslations('settings')
  switch (settingKey) {
    case 'late_payment_policy':
      return <ChoiceEditor {...props} choices={settingShapes.late_payment_policy.options} />
    case 'device_registration':
      return <ChoiceEditor {...props} choices={settingShapes.device_registration.options} />
    case 'ios_refund_opinion':
      return <ChoiceEditor {...props} choices={settingShapes.ios_refund_opinion.options} />
    case 'upload_shipping_info':
    case 'weekly_digest':
      return (
        <CheckList
          label={t(`names.${settingKey}`)}
          options={[{ value: 'on', label: t('on') }]}
          chosen={value === true ? ['on'] : []}
          choose={(chosen) => change(chosen.length > 0)}
        />
      )
    case 'sale_policy':
      return <SaleEditor value={value} change={change} />
    case 'free_features':
    case 'granted_features':
      return <FeatureEditor {...props} />
    case 'message_templates':
      return <TemplatesEditor value={value} change={change} />
    case 'program_bounds':
      return <BoundsEditor value={value} change={change} />
    case 'expiry_reminder_days':
      return (
        <TextEditor {...props} show={(days) => (Array.isArray(days) ? days.join(', ') : '')} read={daysOf} />
      )
    case 'refund_approval_threshold_fen':
    case 'price_floor_fen_per_day':
      return <TextEditor {...props} prefix="¥" show={inYuan} read={(text) => parseYuan(text)} />
    case 'support_contact':
    case 'company_name':
    case 'company_tax_id':
      return <TextEditor {...props} show={String} read={(text) => text.trim()} />
    default:
      return <TextEditor {...props} show={String} read={numberOf} />
  }
}
