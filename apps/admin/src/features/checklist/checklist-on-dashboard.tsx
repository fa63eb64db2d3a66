'use client'

import type { Checklist } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './checklist.module.css'
import { ChecklistActs } from './checklist-acts.tsx'
import { isOpen, OpenStep, Progress } from './checklist-steps.tsx'
import { ChecklistPanel } from './checklist-view.tsx'
import { SampleDataPanel } from './sample-data.tsx'
import { hasSold, useChecklist } from './use-checklist.ts'

/** How far it has come, and the step that comes next; the others a press away. */
function NextStep({ checklist }: { checklist: Checklist }) {
  const t = useTranslations('checklist')
  const { steps, phoneUrl, hiddenFor } = checklist
  const next = steps.find(isOpen)
  if (!next) return null
  return (
    <Panel title={t('title')} aside={<Progress steps={steps} />}>
      <div className={styles['card']}>
        <div className={styles['content']}>
          <h3>
            {t('next')} · {t(`steps.${next.name}.title`)}
          </h3>
          <OpenStep step={next} isNext phoneUrl={phoneUrl} />
        </div>
        <div className={styles['placing']}>
          <Link href={paths.checklist()}>{t('allSteps')}</Link>
          <ChecklistActs hiddenFor={hiddenFor} />
        </div>
      </div>
    </Panel>
  )
}

/** Before the first sale there are no figures: the checklist stands in their place, and from then on above them. */
export function ChecklistOnDashboard({ children }: { children: ReactNode }) {
  const { data } = useChecklist()
  if (data?.hiddenFor !== 'nobody' || !data.steps.some(isOpen)) return children
  if (hasSold(data))
    return (
      <div className={styles['above']}>
        <NextStep checklist={data} />
        {children}
      </div>
    )
  return (
    <div className={styles['above']}>
      <ChecklistPanel checklist={data} />
      <SampleDataPanel checklist={data} />
      <ChecklistActs hiddenFor={data.hiddenFor} />
    </div>
  )
}
