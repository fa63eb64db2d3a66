'use client'

import type { Checklist, ChecklistStep } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { formatCount } from '../../format.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import styles from './checklist.module.css'
import { StepLink } from './step-links.tsx'

export const isOpen = ({ isDone }: ChecklistStep): boolean => !isDone

/** How far it has come, in words and as a bar. */
export function Progress({ steps }: Pick<Checklist, 'steps'>) {
  const t = useTranslations('checklist')
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <div className={styles['progress']}>
      <span>{t('progress', { done: formatCount(done), all: formatCount(steps.length) })}</span>
      <span className={styles['bar']} aria-hidden="true">
        <span style={{ inlineSize: `${(done / steps.length) * 100}%` }} />
      </span>
    </div>
  )
}

type StepProps = { step: ChecklistStep; isNext: boolean } & Pick<Checklist, 'phoneUrl'>

/** What is still to be done: why, how, and where. */
export function OpenStep({ step: { name }, isNext, phoneUrl }: StepProps) {
  const t = useTranslations(`checklist.steps.${name}`)
  return (
    <>
      <p>{t('why')}</p>
      <p className={styles['how']}>{t('how')}</p>
      <StepLink name={name} isNext={isNext} phoneUrl={phoneUrl} />
    </>
  )
}

function Step(props: StepProps & { number: number }) {
  const { step, number, isNext } = props
  const { name, isDone, doneAt } = step
  const t = useTranslations('checklist')
  return (
    <li className={styles['step']} data-done={isDone || undefined} data-next={isNext || undefined}>
      <span className={styles['mark']}>
        <span aria-hidden="true">{isDone ? <Icon name="check" size={15} /> : number}</span>
        <VisuallyHidden>{t(isDone ? 'done' : 'open')}</VisuallyHidden>
      </span>
      <div className={styles['content']}>
        <div className={styles['line']}>
          <h3>{t(`steps.${name}.title`)}</h3>
          {doneAt && (
            <span className={styles['when']}>
              <DateTime time={doneAt} />
            </span>
          )}
        </div>
        {!isDone && <OpenStep {...props} />}
      </div>
    </li>
  )
}

/** Every step in its order; what comes next stands out. */
export function ChecklistSteps({ steps, phoneUrl }: Pick<Checklist, 'steps' | 'phoneUrl'>) {
  const next = steps.find(isOpen)
  return (
    <ol className={styles['steps']}>
      {steps.map((step, index) => (
        <Step key={step.name} number={index + 1} step={step} isNext={step === next} phoneUrl={phoneUrl} />
      ))}
    </ol>
  )
}
