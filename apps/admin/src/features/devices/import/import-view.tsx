'use client'

import { deviceImportColumns } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { paths } from '../../../paths.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { BackLink } from '../../../ui/back-link.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Raw } from '../../../ui/raw.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import styles from './import.module.css'
import { ImportOutcome } from './import-outcome.tsx'
import { sendInventory } from './send-inventory.ts'

function FileChoice({ choose }: { choose: (file: File | null) => void }) {
  const t = useTranslations('devices.importing')
  const id = useId()
  return (
    <div className={styles['file']}>
      <label htmlFor={id}>{t('file')}</label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv"
        aria-describedby={`${id}-hint`}
        onChange={(event) => choose(event.target.files?.[0] ?? null)}
      />
      <p id={`${id}-hint`} className={styles['hint']}>
        {t('fileHint')} <Raw>{deviceImportColumns.join(',')}</Raw>
      </p>
    </div>
  )
}

/** Looks at a file first, and applies the very file it looked at. */
function useImport() {
  const t = useTranslations('devices.importing')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const [file, setFile] = useState<File | null>(null)
  const send = useMutation({
    mutationFn: ({ chosen, apply }: { chosen: File; apply: boolean }) => sendInventory(chosen, { apply }),
    onSuccess: async (outcome) => {
      announce(t(outcome.applied ? 'applied' : outcome.faultCount > 0 ? 'hasFaults' : 'clean'))
      if (outcome.applied) await queryClient.invalidateQueries(trpc.device.pathFilter())
    },
  })
  const choose = (chosen: File | null) => {
    setFile(chosen)
    send.reset()
    if (chosen) send.mutate({ chosen, apply: false })
  }
  return { file, send, choose, apply: () => file && send.mutate({ chosen: file, apply: true }) }
}

function Refusal({ error }: { error: unknown }) {
  const t = useTranslations('ui')
  const failure = useFailure()(error)
  return (
    <Notice tone="bad" role="alert">
      {failure?.title}
      {failure?.requestId && ` · ${t('requestId')} ${failure.requestId}`}
    </Notice>
  )
}

function Steps() {
  const t = useTranslations('devices.importing')
  const { send, choose, apply } = useImport()
  const outcome = send.data
  const ready = outcome && !outcome.applied && outcome.faultCount === 0 && outcome.lines > 0
  return (
    <div className={styles['steps']}>
      <FileChoice choose={choose} />
      {send.isPending && <Skeleton height={80} />}
      {send.error && <Refusal error={send.error} />}
      {outcome && <ImportOutcome outcome={outcome} />}
      {ready && (
        <div>
          <Button type="primary" icon={<Icon name="upload" />} onClick={apply}>
            {t('apply', { count: outcome.lines })}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Takes devices into the inventory by file. */
export function ImportView() {
  const t = useTranslations('devices')
  const forbidden = useForbidden('device.import')
  return (
    <>
      <PageHeader before={<BackLink href={paths.devices()}>{t('back')}</BackLink>} title={t('import')} />
      <Panel title={t('importing.title')}>
        {forbidden ? <Notice tone="wait">{t('importForbidden', forbidden)}</Notice> : <Steps />}
      </Panel>
    </>
  )
}
