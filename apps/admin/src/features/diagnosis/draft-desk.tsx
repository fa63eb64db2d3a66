'use client'

import type { DiagnosisDesk } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ActButton } from '../../kit/act/act-button.tsx'
import { useForbidden } from '../../session/operator-context.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Field } from '../../ui/form.tsx'
import { Input } from '../../ui/input.tsx'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ChangeList } from './change-list.tsx'
import { type EditedDraft, useDraft } from './desk-acts.tsx'
import styles from './diagnosis.module.css'
import { DraftForm, DraftJson } from './draft-editors.tsx'

const PublishDialog = dynamic(() => import('./draft-dialogs.tsx').then((module) => module.PublishDialog), {
  ssr: false,
})
const DiscardDialog = dynamic(() => import('./draft-dialogs.tsx').then((module) => module.DiscardDialog), {
  ssr: false,
})

type View = 'form' | 'json' | 'changes'
const views: readonly View[] = ['form', 'json', 'changes']

function useWhyNot(draft: EditedDraft, isWaiting: boolean) {
  const t = useTranslations('diagnosis')
  const forbidden = useForbidden('diagnosis.edit')
  // What a second person is looking at stays as it is until it is decided or taken back.
  const may = (forbidden && t('forbidden', forbidden)) ?? (isWaiting ? t('publicationWaits') : null)
  return {
    save: may ?? (draft.dirty ? null : t('nothingToSave')),
    publish:
      may ??
      (draft.dirty ? t('saveFirst') : draft.faults.length > 0 ? t('faultsFirst') : null) ??
      (draft.changes.length === 0 ? t('noChanges') : null),
    discard: may,
  }
}

function DraftActions({ draft, isWaiting }: { draft: EditedDraft; isWaiting: boolean }) {
  const t = useTranslations('diagnosis')
  const [isDiscarding, setDiscarding] = useState(false)
  const why = useWhyNot(draft, isWaiting)
  return (
    <div className={styles['acts']}>
      <Button
        danger={why.discard === null}
        aria-disabled={why.discard !== null}
        title={why.discard ?? t('discardLead')}
        onClick={() => why.discard === null && setDiscarding(true)}
      >
        {t('discard')}
      </Button>
      <ActButton
        icon="check"
        label={t('save')}
        hint={t('saveHint')}
        obstacle={why.save}
        act={draft.save}
        input={draft.edited}
      />
      <ActButton
        icon="book"
        label={t('publishVersion', { version: draft.reference.version })}
        hint={t('publishLead')}
        obstacle={why.publish}
        dialog={(close) => <PublishDialog draft={draft} onClose={close} />}
      />
      {isDiscarding && <DiscardDialog draft={draft} onClose={() => setDiscarding(false)} />}
    </div>
  )
}

function DraftState({ draft, saved }: { draft: EditedDraft; saved: NonNullable<DiagnosisDesk['draft']> }) {
  const t = useTranslations('diagnosis')
  const { faults, changes, dirty } = draft
  return (
    <div className={styles['state']}>
      <p>
        {t('draftOf', { version: saved.version, base: saved.basedOn ?? 0 })} · {saved.createdBy} ·{' '}
        <DateTime time={saved.updatedAt} relative />
        {dirty && <strong> · {t('unsaved')}</strong>}
      </p>
      <Notice tone={faults.length > 0 ? 'wait' : 'info'} icon={faults.length > 0 ? 'alert' : 'checkCircle'}>
        {faults.length > 0
          ? t('faultCount', { count: faults.length })
          : t('valid', { count: changes.length })}
      </Notice>
    </div>
  )
}

/** The draft on the desk: as a form, as text, as what it would change. */
export function DraftDesk({
  saved,
  desk: { published, bounds, waiting },
}: {
  saved: NonNullable<DiagnosisDesk['draft']>
  desk: DiagnosisDesk
}) {
  const t = useTranslations('diagnosis')
  const draft = useDraft(saved, published.content, bounds)
  const [view, setView] = useState<View>('form')
  const isWaiting = waiting?.subject === String(saved.version)
  const tabs = views.map((key) => ({
    key,
    label: t(`views.${key}`),
    href: `#${key}`,
    current: key === view,
    choose: () => setView(key),
  }))
  return (
    <div className={styles['rows']}>
      <Panel
        title={t('draft', { version: saved.version })}
        aside={<DraftActions draft={draft} isWaiting={isWaiting} />}
      >
        <DraftState draft={draft} saved={saved} />
        <Field label={t('note')} hint={t('noteHint')}>
          {(attributes) => (
            <Input
              {...attributes}
              maxLength={500}
              value={draft.note}
              onChange={(event) => draft.setNote(event.target.value)}
            />
          )}
        </Field>
      </Panel>
      <Panel>
        <LinkTabs label={t('viewDraft')} tabs={tabs} />
      </Panel>
      {view === 'form' && <DraftForm draft={draft} />}
      {view === 'json' && <DraftJson draft={draft} />}
      {view === 'changes' && (
        <Panel title={t('changes')}>
          <ChangeList changes={draft.changes} />
        </Panel>
      )}
    </div>
  )
}
