'use client'

import type { Checklist } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { DirectAct, defineAct } from '../../kit/act/define-act.tsx'
import styles from './checklist.module.css'

type Verb = 'hide' | 'restore'

const useWords = () => useTranslations('checklist')
const icons = { hide: 'eyeOff', restore: 'eye' } as const
const reread = { invalidates: ['checklist'] } as const

const forMe = (verb: Verb) =>
  defineAct(useWords, {
    icon: icons[verb],
    words: (t) => ({ label: t(`${verb}.label`), hint: t(`${verb}.hint`) }),
    act: (t) => ({
      call: (api) => (_: null) => api.checklist[verb].mutate(),
      ...reread,
      done: () => t(`${verb}.done`),
    }),
  })

const forAll = (verb: Verb) =>
  defineAct(useWords, {
    icon: icons[verb],
    permission: 'checklist.hide_for_all',
    words: (t) => ({
      label: t(`${verb}ForAll.label`),
      hint: t(`${verb}ForAll.hint`),
      forbidden: (who) => t(`${verb}ForAll.forbidden`, who),
    }),
    act: (t) => ({
      call: (api) => (_: null) => api.checklist[`${verb}ForAll`].mutate(),
      ...reread,
      done: () => t(`${verb}ForAll.done`),
    }),
  })

const acts = {
  me: { hide: forMe('hide'), restore: forMe('restore') },
  everybody: { hide: forAll('hide'), restore: forAll('restore') },
}

/** Takes the checklist off the overview, or puts it back: one's own, and for an owner everybody's. */
export function ChecklistActs({ hiddenFor }: Pick<Checklist, 'hiddenFor'>) {
  const forAll = hiddenFor === 'everybody' ? acts.everybody.restore : acts.everybody.hide
  return (
    <div className={styles['acts']}>
      {hiddenFor === 'nobody' && <DirectAct of={acts.me.hide} input={null} quiet />}
      {hiddenFor === 'me' && <DirectAct of={acts.me.restore} input={null} quiet />}
      <DirectAct of={forAll} input={null} quiet />
    </div>
  )
}
