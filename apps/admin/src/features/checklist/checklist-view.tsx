'use client'

import type { Checklist } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Loaded } from '../../kit/page/page-content.tsx'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './checklist.module.css'
import { ChecklistActs } from './checklist-acts.tsx'
import { ChecklistSteps, isOpen, Progress } from './checklist-steps.tsx'
import { SampleDataPanel } from './sample-data.tsx'
import { useChecklist } from './use-checklist.ts'

/** All steps as a panel of their own. */
export function ChecklistPanel({ checklist }: { checklist: Checklist }) {
  const t = useTranslations('checklist')
  const { steps, platform } = checklist
  return (
    <Panel title={t('title')} aside={<Progress steps={steps} />}>
      <p className={styles['lead']}>{t('lead')}</p>
      <ChecklistSteps {...checklist} />
      {platform !== 'sandbox' && <p className={styles['lead']}>{t('goingLive')}</p>}
    </Panel>
  )
}

/** Whether it stands on the overview, and the acts that change it. */
function OnDashboard({ checklist: { steps, hiddenFor } }: { checklist: Checklist }) {
  const t = useTranslations('checklist')
  if (!steps.some(isOpen))
    return (
      <Notice tone="info" icon="checkCircle">
        <strong>{t('allDone')}</strong> {t('allDoneHint')}
      </Notice>
    )
  return (
    <Panel title={t('onDashboard')}>
      <div className={styles['placing']}>
        <p>{hiddenFor === 'nobody' ? t('shownHint') : t(`hiddenHint.${hiddenFor}`)}</p>
        <ChecklistActs hiddenFor={hiddenFor} />
      </div>
    </Panel>
  )
}

/** The steps of a new installation, at an address of their own once they are off the overview. */
export function ChecklistView() {
  const t = useTranslations('checklist')
  return (
    <>
      <PageHeader title={t('title')} />
      <Loaded query={useChecklist()} skeleton={<Skeleton height={480} />}>
        {(checklist) => (
          <div className={layout['rows']}>
            <ChecklistPanel checklist={checklist} />
            <SampleDataPanel checklist={checklist} />
            <OnDashboard checklist={checklist} />
          </div>
        )}
      </Loaded>
    </>
  )
}
