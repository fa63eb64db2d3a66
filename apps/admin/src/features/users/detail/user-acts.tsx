'use client'

import type { RevealedUser, UserDetail, UserSession } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../../kit/act/act-button.tsx'
import { defineAct } from '../../../kit/act/define-act.tsx'
import { ReasonButton } from '../../../kit/act/reason-button.tsx'
import { type Store, useAct } from '../../../kit/act/use-act.ts'

/** What follows an act on a user: the page shows them as they now are. */
const shownAnew = {
  invalidates: ['user'],
  keep: (user: UserDetail, { put, trpc }: Store) => put(trpc.user.detail.queryKey({ id: user.id }), user),
} as const

/** Refuses the user from now on, or lets them in again. */
export function DisableUser({ user: { id, disabledAt } }: { user: UserDetail }) {
  const t = useTranslations('users')
  const act = disabledAt ? 'enable' : 'disable'
  const change = useAct({ call: (api) => api.user[act].mutate, done: () => t(`${act}.done`), ...shownAnew })
  const words = { title: t(`${act}.title`), lead: t(`${act}.lead`), submitLabel: t(`${act}.submit`) }
  return (
    <ReasonButton
      icon={act === 'enable' ? 'check' : 'alert'}
      hint={t(`${act}.hint`)}
      quiet
      permission="user.disable"
      forbidden={(who) => t('actForbidden', who)}
      asked={{ ...words, danger: act === 'disable', act: change, input: { id } }}
    />
  )
}

/** Ends one session, or with none named all of them. */
export function EndSessions({ id, session }: { id: string; session?: UserSession }) {
  const t = useTranslations('users')
  const words = session ? 'endSession' : 'endSessions'
  const end = useAct({
    call: (api) => api.user.endSessions.mutate,
    done: () => t(`${words}.done`),
    ...shownAnew,
  })
  return (
    <ActButton
      icon="signOut"
      label={t(`${words}.submit`)}
      hint={t(`${words}.hint`)}
      quiet
      permission="user.sessions"
      forbidden={(who) => t('sessionsForbidden', who)}
      act={end}
      input={{ id, ...(session && { sessionId: session.id }) }}
      confirm={{
        title: t(`${words}.title`),
        submitLabel: t(`${words}.submit`),
        danger: true,
        children: <p>{t('sessionsLead')}</p>,
      }}
    />
  )
}

/** Shows who it is, for a reason that is kept. */
export function RevealUser({ id, show }: { id: string; show: (revealed: RevealedUser) => void }) {
  const t = useTranslations('users')
  const reveal = useAct({
    call: (api) => api.user.reveal.mutate,
    invalidates: [],
    after: show,
    done: () => t('reveal.done'),
  })
  const words = { title: t('reveal.title'), lead: t('reveal.lead'), submitLabel: t('reveal.submit') }
  return (
    <ReasonButton
      icon="eye"
      hint={t('reveal.hint')}
      quiet
      permission="identifier.reveal"
      forbidden={(who) => t('revealForbidden', who)}
      asked={{ ...words, act: reveal, input: { id } }}
    />
  )
}

/** Sends the reminder to this user now, where they allowed one. */
export const testMessage = defineAct(() => useTranslations('users'), {
  icon: 'sync',
  permission: 'setting.edit',
  words: (t) => ({ label: t('test'), hint: t('testHint'), forbidden: (who) => t('testForbidden', who) }),
  act: (t) => ({
    call: (api) => api.message.test.mutate,
    invalidates: ['message'],
    done: ({ outcome, failure }) => t(`testOutcomes.${outcome}`, { code: failure ?? '' }),
  }),
})
