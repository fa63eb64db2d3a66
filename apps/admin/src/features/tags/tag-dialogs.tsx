'use client'

import { MOST_TAG_CHARACTERS, NewTag, TagColor, TagEdit, TagMerge, type TagRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { FormField } from '../../kit/act/act-form.ts'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import layout from '../../ui/layout.module.css'
import { TagColors } from './tag-chip.tsx'
import { useTagChoices } from './use-tag-choices.ts'

/** What is read anew where a tag may be shown. */
const shownIn = ['tag', 'order', 'user', 'device'] as const

function useTagFields(): FormField[] {
  const t = useTranslations('tagList')
  const label = { kind: 'line', name: 'label', label: t('label'), maxLength: MOST_TAG_CHARACTERS } as const
  const color: FormField = {
    kind: 'own',
    name: 'color',
    draw: ({ value, change }) => (
      <TagColors name="color" value={TagColor.safeParse(value).data ?? 'gray'} choose={change} />
    ),
  }
  return [{ ...label, fault: t('labelFault'), autoFocus: true }, color]
}

export function CreateTag({ onClose }: { onClose: () => void }) {
  const t = useTranslations('tagList')
  const create = useAct({
    call: (api) => api.tag.create.mutate,
    invalidates: ['tag'],
    done: (_, { label }) => t('created', { label }),
  })
  return (
    <FormDialog
      title={t('create')}
      submitLabel={t('create')}
      incomplete={t('labelFault')}
      schema={NewTag}
      start={{ label: '', color: 'blue' as const }}
      fields={useTagFields()}
      act={create}
      onClose={onClose}
    />
  )
}

type TagDialogProps = { tag: TagRow; onClose: () => void }

export function EditTag({ tag: { id, label, color }, onClose }: TagDialogProps) {
  const t = useTranslations('tagList')
  const edit = useAct({
    call: (api) => api.tag.edit.mutate,
    invalidates: shownIn,
    done: (_, edited) => t('edited', { label: edited.label }),
  })
  return (
    <FormDialog
      title={t('editNamed', { label })}
      lead={t('editLead')}
      submitLabel={t('save')}
      incomplete={t('labelFault')}
      schema={TagEdit}
      start={{ id, label, color }}
      fields={useTagFields()}
      act={edit}
      onClose={onClose}
    />
  )
}

export function MergeTag({ tag: { id, label }, onClose }: TagDialogProps) {
  const t = useTranslations('tagList')
  const { data } = useTagChoices()
  const others = (data?.items ?? []).filter((tag) => !tag.isArchived && tag.id !== id)
  const merge = useAct({
    call: (api) => api.tag.merge.mutate,
    invalidates: shownIn,
    done: () => t('merged', { label }),
  })
  return (
    <FormDialog
      title={t('mergeNamed', { label })}
      lead={t('mergeLead', { label })}
      submitLabel={t('mergeSubmit', { label })}
      incomplete={t('mergeChoose')}
      danger
      schema={TagMerge}
      start={{ id, into: '' }}
      fields={[
        {
          kind: 'select',
          name: 'into',
          label: t('into'),
          className: layout['select'] ?? '',
          options: [
            { value: '', label: t('mergeChoose') },
            ...others.map((tag) => ({ value: tag.id, label: tag.label })),
          ],
        },
      ]}
      act={merge}
      onClose={onClose}
    />
  )
}
