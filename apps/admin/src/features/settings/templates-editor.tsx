'use client'

import { MessageValue } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'
import { NativeSelect } from '../../ui/native-choices.tsx'
import { useListKeys } from '../../ui/use-list-keys.ts'
import {
  cannotHold,
  emptyTemplate,
  type FieldForm,
  faultsOf,
  formsOf,
  purposes,
  type TemplateForm,
  templatesOf,
} from './setting-forms.ts'
import styles from './settings.module.css'

type PartProps = { form: TemplateForm; set: (parts: Partial<TemplateForm>) => void }

function TemplateFields({ form: { fields }, set }: PartProps) {
  const t = useTranslations('settings.template')
  const { keyOf, forget } = useListKeys(fields.length)
  const says = MessageValue.options.map((value) => ({ value, label: t(`values.${value}`) }))
  const change = (place: number, parts: Partial<FieldForm>) =>
    set({ fields: fields.map((field, at) => (at === place ? { ...field, ...parts } : field)) })
  return fields.map((field, place) => (
    <div key={keyOf(place)} className={styles['templateField']}>
      <Field label={t('field', { place: place + 1 })} hint={place === 0 ? t('fieldHint') : null}>
        {(attributes) => (
          <Input
            {...attributes}
            autoComplete="off"
            spellCheck={false}
            maxLength={27}
            value={field.name}
            onChange={(event) => change(place, { name: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('says', { place: place + 1 })} fault={cannotHold(field) ? t('faults.holds') : null}>
        {(attributes) => (
          <NativeSelect
            {...attributes}
            options={says}
            empty=""
            value={field.value}
            choose={(value) => change(place, { value: MessageValue.parse(value) })}
          />
        )}
      </Field>
      <IconButton
        label={t('removeField', { name: field.name || String(place + 1) })}
        onClick={() => {
          forget(place)
          set({ fields: fields.filter((_, at) => at !== place) })
        }}
      >
        <Icon name="close" />
      </IconButton>
    </div>
  ))
}

function TemplateTexts({ form, set }: PartProps) {
  const t = useTranslations('settings.template')
  const faults = faultsOf(form)
  return (['id', 'page'] as const).map((part) => (
    <Field
      key={part}
      label={t(part)}
      hint={t(`${part}Hint`)}
      fault={faults[part] ? t(`faults.${part}`) : null}
    >
      {(attributes) => (
        <Input
          {...attributes}
          autoComplete="off"
          spellCheck={false}
          maxLength={256}
          value={form[part]}
          onChange={(event) => set({ [part]: event.target.value })}
        />
      )}
    </Field>
  ))
}

type OneProps = PartProps & { name: string; remove: () => void }

function OneTemplate({ form, set, name, remove }: OneProps) {
  const t = useTranslations('settings.template')
  const { fields } = form
  const named = fields.every((field) => !cannotHold(field))
  return (
    <fieldset className={styles['template']}>
      <legend>{name}</legend>
      <TemplateTexts form={form} set={set} />
      <TemplateFields form={form} set={set} />
      {faultsOf(form).fields && named && <span className={styles['fault']}>{t('faults.fields')}</span>}
      <div className={styles['acts']}>
        <Button
          icon={<Icon name="plus" />}
          onClick={() => set({ fields: [...fields, { name: '', value: 'notice' }] })}
        >
          {t('addField')}
        </Button>
        <Button danger onClick={remove}>
          {t('remove', { purpose: name })}
        </Button>
      </div>
    </fieldset>
  )
}

type TemplatesEditorProps = { value: unknown; change: (value: unknown) => void }

/** Which template of the platform each message is sent with, and what its fields say. */
export function TemplatesEditor({ value, change }: TemplatesEditorProps) {
  const t = useTranslations('settings.template')
  const words: Readonly<Record<string, string>> = useMessages().settings.purposes
  const [forms, setForms] = useState(() => formsOf(value))
  const nameOf = (purpose: string) => words[purpose] ?? purpose
  const keep = (next: TemplateForm[]) => {
    setForms(next)
    change(templatesOf(next))
  }
  const missing = purposes.filter((purpose) => forms.every((form) => form.purpose !== purpose))
  return (
    <>
      {forms.map((form) => (
        <OneTemplate
          key={form.purpose}
          form={form}
          name={nameOf(form.purpose)}
          set={(parts) => keep(forms.map((one) => (one === form ? { ...one, ...parts } : one)))}
          remove={() => keep(forms.filter((one) => one !== form))}
        />
      ))}
      {missing.map((purpose) => (
        <Button
          key={purpose}
          icon={<Icon name="plus" />}
          className={styles['addTemplate'] ?? ''}
          onClick={() => keep([...forms, emptyTemplate(purpose)])}
        >
          {t('add', { purpose: nameOf(purpose) })}
        </Button>
      ))}
    </>
  )
}
