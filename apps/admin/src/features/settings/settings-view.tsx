'use client'

import { SettingKey, type SettingRow, type WaitingApproval } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { z } from 'zod'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { ActButton } from '../../kit/act/act-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ChangeTable } from '../../ui/change-table.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Described, useDecide, WaitingChanges } from '../approvals/waiting-changes.tsx'
import { CompliancePanel } from '../plans/compliance.tsx'
import { ProgramBoundsTable } from '../program-bounds/program-bounds.tsx'
import { SettingHistory, SettingText } from './setting-history.tsx'
import { useSettingChanges, useSettingParts } from './setting-value.ts'
import styles from './settings.module.css'

const Kept = z.object({ value: z.json() })

/** Changes of settings that wait for a second owner, or for their day. */
function WaitingSettings({ waiting }: { waiting: readonly WaitingApproval[] }) {
  const t = useTranslations('settings')
  const said = useTranslations('approvals')
  const changesOf = useSettingChanges()
  const decide = useDecide({ call: (api) => api.setting.decide.mutate, invalidates: ['setting'] })
  const describe = ({ subject, before, after }: WaitingApproval): Described => {
    const key = SettingKey.parse(subject)
    const [was, is] = [Kept.parse(before).value, Kept.parse(after).value]
    const name = t(`names.${key}`)
    const caption = said('changesOf', { name })
    return { name, changes: <ChangeTable caption={caption} changes={changesOf(key, was, is)} /> }
  }
  return <WaitingChanges waiting={waiting} describe={describe} permission="setting.edit" decide={decide} />
}

const ChangeSetting = dynamic(() => import('./change-setting.tsx').then((module) => module.ChangeSetting), {
  ssr: false,
})

const groups = {
  payments: [
    'order_ttl_minutes',
    'late_payment_policy',
    'refund_approval_threshold_fen',
    'ios_refund_opinion',
    'upload_shipping_info',
    'company_name',
    'company_tax_id',
  ],
  sales: [
    'price_floor_fen_per_day',
    'sale_policy',
    'free_features',
    'granted_features',
    'trial_days_on_first_binding',
  ],
  devices: ['program_bounds', 'device_registration', 'max_devices_per_user', 'reports_per_user'],
  messages: ['message_templates', 'expiry_reminder_days', 'support_contact', 'weekly_digest'],
} as const satisfies Record<string, readonly SettingKey[]>
const groupNames = ['payments', 'sales', 'devices', 'messages'] as const

function SettingItem({ setting }: { setting: SettingRow }) {
  const t = useTranslations('settings')
  const partsOf = useSettingParts()
  const [history, setHistory] = useState(false)
  const { key, value, updatedAt, updatedBy } = setting
  const name = t(`names.${key}`)
  return (
    <li className={styles['setting']} aria-label={name}>
      <div className={styles['what']}>
        <h3>{name}</h3>
        <p>{t(`hints.${key}`)}</p>
      </div>
      <div className={styles['value']}>
        {key !== 'program_bounds' && <SettingText parts={partsOf(key, value)} />}
        {updatedBy && (
          <span className={styles['by']}>
            {t('changedBy', { who: updatedBy })} <DateTime time={updatedAt} />
          </span>
        )}
      </div>
      <div className={styles['acts']}>
        <Button
          aria-expanded={history}
          aria-label={t('historyOf', { name })}
          onClick={() => setHistory(!history)}
        >
          {t('history')}
        </Button>
        <ActButton
          icon="edit"
          label={t('change')}
          hint={t('changeNamed', { name })}
          quiet
          permission="setting.edit"
          forbidden={(who) => t('forbidden', who)}
          dialog={(close) => <ChangeSetting setting={setting} start={value} onClose={close} />}
        />
      </div>
      {key === 'program_bounds' && (
        <div className={styles['wide']}>
          <ProgramBoundsTable value={value} />
        </div>
      )}
      {history && (
        <div className={styles['history']}>
          <SettingHistory setting={setting} />
        </div>
      )}
    </li>
  )
}

/** Every server setting, group by group. */
export function SettingsView() {
  const t = useTranslations('settings')
  const failureOf = useFailure()
  const settings = useQuery(useTRPC().setting.list.queryOptions())
  const failure = failureOf(settings.error)
  const row = (key: SettingKey) => settings.data?.items.find((setting) => setting.key === key)
  return (
    <>
      <PageHeader title={t('title')} aside={t('lead')} />
      {failure && !settings.data ? (
        <Panel>
          <FailurePanel failure={failure} onRetry={() => void settings.refetch()} />
        </Panel>
      ) : (
        <div className={styles['groups']}>
          <CompliancePanel />
          <WaitingSettings waiting={settings.data?.waiting ?? []} />
          {groupNames.map((group) => (
            <Panel key={group} title={t(`groups.${group}`)}>
              <ul className={styles['settings']}>
                {groups[group].map((key) => {
                  const setting = row(key)
                  return setting ? (
                    <SettingItem key={key} setting={setting} />
                  ) : (
                    <li key={key}>
                      <Skeleton height={40} />
                    </li>
                  )
                })}
              </ul>
            </Panel>
          ))}
        </div>
      )}
    </>
  )
}
