'use client'

import {
  exportTargets,
  MOST_KEPT_DAYS,
  NewExportSchedule,
  type ScheduledKind,
  scheduledExports,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import type { FormField } from '../../kit/act/act-form.ts'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import layout from '../../ui/layout.module.css'

const kinds = Object.keys(scheduledExports).filter((kind): kind is ScheduledKind => kind in scheduledExports)
const hours = Array.from({ length: 24 }, (_, hour) => hour)
const styles = ['path', 'host'] as const

const typedStore = {
  endpoint: '',
  region: '',
  bucket: '',
  prefix: '',
  style: 'path',
  accessKeyId: '',
  secretAccessKey: '',
}

/** What is typed is text; the store is sent only where the file goes there. */
const TypedSchedule = z
  .object({
    kind: z.string(),
    format: z.string(),
    hour: z.string(),
    keepDays: z.string(),
    target: z.enum(exportTargets),
    s3: z.record(z.string(), z.string()),
  })
  .transform(({ target, s3: { style, ...store }, ...typed }) => ({
    ...typed,
    hour: Number(typed.hour),
    keepDays: Number(typed.keepDays),
    s3: target === 's3' ? { ...store, pathStyle: style === 'path' } : null,
  }))
  .pipe(NewExportSchedule)

const storeLines = ['region', 'bucket', 'prefix', 'accessKeyId', 'secretAccessKey'] as const

function useStoreFields(): readonly FormField[] {
  const t = useTranslations('exports.schedules.store')
  const line = (name: 'endpoint' | (typeof storeLines)[number]): FormField => {
    const words = { label: t(name), hint: t(`hints.${name}`) }
    return { kind: 'line', name: `s3.${name}`, ...words, maxLength: 256, spellCheck: false }
  }
  const options = styles.map((value) => ({ value, label: t(`styles.${value}`) }))
  const className = layout['select'] ?? ''
  const style: FormField = { kind: 'select', name: 's3.style', label: t('style'), options, className }
  return [line('endpoint'), style, ...storeLines.map(line)]
}

function useScheduleFields(): (target: string) => readonly FormField[] {
  const t = useTranslations('exports.schedules')
  const className = layout['select'] ?? ''
  const store = useStoreFields()
  const select = (name: 'kind' | 'format' | 'hour', options: { value: string; label: string }[]) =>
    ({ kind: 'select', name, label: t(name), options, className }) as const
  const always: readonly FormField[] = [
    select(
      'kind',
      kinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
    ),
    select('format', [
      { value: 'xlsx', label: 'XLSX' },
      { value: 'csv', label: 'CSV' },
    ]),
    select(
      'hour',
      hours.map((hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` })),
    ),
    {
      kind: 'line',
      name: 'keepDays',
      label: t('keepDays'),
      hint: t('keepDaysHint', { most: String(MOST_KEPT_DAYS) }),
      inputMode: 'numeric',
      maxLength: 2,
    },
    {
      kind: 'choice',
      name: 'target',
      label: t('target'),
      title: true,
      className: layout['choices'] ?? '',
      options: exportTargets.map((value) => ({ value, label: t(`targets.${value}`) })),
    },
  ]
  return (target) => (target === 's3' ? [...always, ...store] : always)
}

/** A file of a list for every day, kept here and, where that is wanted, sent to a store. */
export function CreateSchedule({ onClose }: { onClose: () => void }) {
  const t = useTranslations('exports.schedules')
  const fieldsOf = useScheduleFields()
  const create = useAct({
    call: (api) => api.exportSchedule.create.mutate,
    invalidates: ['exportSchedule'],
    done: () => t('created'),
  })
  return (
    <FormDialog
      title={t('create')}
      lead={t('createLead')}
      submitLabel={t('create')}
      incomplete={t('incomplete')}
      schema={TypedSchedule}
      start={{
        kind: 'payments',
        format: 'xlsx',
        hour: '8',
        keepDays: '7',
        target: 'download',
        s3: typedStore,
      }}
      fields={fieldsOf('download')}
      vary={({ target }) => ({ fields: fieldsOf(target ?? 'download') })}
      act={create}
      onClose={onClose}
    />
  )
}
