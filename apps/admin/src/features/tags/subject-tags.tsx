'use client'

import type { TagChip as Tag, TaggedSubject } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useEffect, useMemo, useRef } from 'react'
import { useForbidden } from '../../session/operator-context.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popup } from '../../ui/popup.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useHotkeys } from '../../ui/use-hotkeys.ts'
import { TagChip } from './tag-chip.tsx'
import styles from './tags.module.css'
import { useTagActs, useTagsOf } from './use-tags.ts'

const loadPicker = () => import('./tag-picker.tsx').then((module) => module.TagPicker)
const TagPicker = dynamic(loadPicker, { ssr: false, loading: () => <Skeleton height={36} /> })

type AddTagProps = { borne: readonly Tag[]; acts: ReturnType<typeof useTagActs> }

/** Opens the tags to choose from; on the page of one thing the key `t` does. */
function AddTag({ borne, acts }: AddTagProps) {
  const t = useTranslations('tags')
  const button = useRef<HTMLButtonElement>(null)
  const hotkeys = useMemo(() => [['t', () => button.current?.click()] as const], [])
  useHotkeys(hotkeys)
  // Who presses `t` types on at once.
  useEffect(() => void loadPicker(), [])
  return (
    <Popup
      label={t('add')}
      trigger={(attributes) => (
        <Button
          {...attributes}
          ref={button}
          aria-disabled={false}
          look="text"
          size="small"
          title={t('addHint')}
          icon={<Icon name="plus" />}
        >
          {t('add')}
        </Button>
      )}
    >
      {(close) => (
        <TagPicker
          borne={borne}
          set={(tag) => {
            close()
            acts.set(tag)
          }}
          make={(tag) => {
            close()
            acts.make(tag)
          }}
        />
      )}
    </Popup>
  )
}

/** The same for who may not: the reason. */
function NoTag({ reason }: { reason: string }) {
  const t = useTranslations('tags')
  return (
    <ActionButton
      quiet
      busy={false}
      icon={<Icon name="plus" />}
      hint={t('addHint')}
      disabledReason={reason}
      onPress={() => {}}
    >
      {t('add')}
    </ActionButton>
  )
}

/** The tags of a thing, to set and to take. */
export function SubjectTags({ subject }: { subject: TaggedSubject }) {
  const t = useTranslations('tags')
  const denied = useForbidden('tag.set')
  const { data, isError } = useTagsOf(subject)
  const tags = data?.items ?? []
  const acts = useTagActs(subject)
  return (
    <ul className={styles['bar']} aria-label={t('title')}>
      {tags.map((tag) => (
        <li key={tag.id}>
          <TagChip tag={tag}>
            {!denied && (
              <button
                type="button"
                className={styles['take']}
                aria-label={t('take', { label: tag.label })}
                onClick={() => acts.take(tag)}
              >
                <Icon name="close" size={12} />
              </button>
            )}
          </TagChip>
        </li>
      ))}
      {isError && !data && <li className={styles['more']}>{t('failed')}</li>}
      <li>{denied ? <NoTag reason={t('forbidden', denied)} /> : <AddTag borne={tags} acts={acts} />}</li>
    </ul>
  )
}
