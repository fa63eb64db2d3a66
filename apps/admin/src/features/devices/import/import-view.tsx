'use client'

import { type DeviceImport, type DeviceImportMode, deviceImportColumns } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useAct } from '../../../kit/act/use-act.ts'
import { paths } from '../../../paths.ts'
import { useForbidden } from '../../../session/operator-context.tsx'
import { Button } from '../../../ui/button.tsx'
import { saveFile } from '../../../ui/copy-and-save.ts'
import { BackLink } from '../../../ui/detail-page.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { Failure } from '../../../ui/failure-panel.tsx'
import { FileField } from '../../../ui/file-field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Raw } from '../../../ui/text.tsx'
import { faultsCsv, ImportOutcome, sendInventory, templateCsv } from './device-import.tsx'
import styles from './import.module.css'

const saveCsv = (csv: string, name: string) => saveFile(new Blob([csv], { type: 'text/csv' }), name)

type FileChoiceProps = { file: File | null; choose: (file: File) => void }

function FileChoice({ file, choose }: FileChoiceProps) {
  const t = useTranslations('devices.importing')
  return (
    <div className={styles['file']}>
      <FileField
        label={t('file')}
        dropWords={t('drop')}
        accept=".csv,text/csv"
        hint={
          <>
            {t('fileHint')} <Raw>{deviceImportColumns.join(',')}</Raw>
          </>
        }
        file={file}
        onChoose={choose}
      />
      <Button icon={<Icon name="download" />} onClick={() => saveCsv(templateCsv(), 'devices-template.csv')}>
        {t('template')}
      </Button>
    </div>
  )
}

/** Looks at a file first, and applies the very file it looked at. */
function useImport() {
  const t = useTranslations('devices.importing')
  const [file, setFile] = useState<File | null>(null)
  const send = useAct({
    call:
      () =>
      ({ chosen, mode }: { chosen: File; mode: DeviceImportMode }) =>
        sendInventory(chosen, { mode }),
    invalidates: ['device'],
    done: ({ applied, faultCount }) => t(applied ? 'applied' : faultCount > 0 ? 'hasFaults' : 'clean'),
  })
  const choose = (chosen: File) => {
    setFile(chosen)
    send.reset()
    send.run({ chosen, mode: 'preview' })
  }
  const apply = (mode: DeviceImportMode) => file && send.run({ chosen: file, mode })
  return { file, send, choose, apply }
}

function Refusal({ failure }: { failure: Failure }) {
  const t = useTranslations('ui')
  return (
    <Notice tone="bad" role="alert">
      {failure.title}
      {failure.requestId && ` · ${t('requestId')} ${failure.requestId}`}
    </Notice>
  )
}

/** The faults of a file as a file, to be worked through line by line. */
function FaultsButton({ file, outcome }: { file: File; outcome: DeviceImport }) {
  const t = useTranslations('devices.importing')
  const save = async () => {
    const head = [t('line'), t('column'), t('fault'), t('original')]
    const reasonOf = (fault: DeviceImport['faults'][number]['fault']) => t(`faultKinds.${fault}`)
    saveCsv(faultsCsv(outcome, { text: await file.text(), head, reasonOf }), 'devices-faults.csv')
  }
  return (
    <Button icon={<Icon name="download" />} onClick={save}>
      {t('saveFaults')}
    </Button>
  )
}

/** Leaves the faulty lines out, once that is confirmed. */
function GoodLines({ outcome, apply }: { outcome: DeviceImport; apply: () => void }) {
  const t = useTranslations('devices.importing')
  const [asking, setAsking] = useState(false)
  const count = outcome.created + outcome.updated
  return (
    <>
      <Button icon={<Icon name="upload" />} onClick={() => setAsking(true)}>
        {t('applyGood', { count })}
      </Button>
      {asking && (
        <Dialog
          title={t('goodTitle')}
          submitLabel={t('applyGood', { count })}
          submitting={false}
          failure={null}
          onSubmit={apply}
          onClose={() => setAsking(false)}
        >
          <p>{t('goodLead', { count: outcome.faultyLines })}</p>
          <p>{t('boundStay', { count: outcome.boundCount })}</p>
        </Dialog>
      )}
    </>
  )
}

type ActsProps = { file: File; outcome: DeviceImport; apply: (mode: DeviceImportMode) => void }

/** What may be done with a file that was looked at. */
function Acts({ file, outcome, apply }: ActsProps) {
  const t = useTranslations('devices.importing')
  const { applied, faultCount, readToEnd, created, updated } = outcome
  const count = created + updated
  return (
    <div className={styles['acts']}>
      {!applied && faultCount === 0 && count > 0 && (
        <Button look="primary" icon={<Icon name="upload" />} onClick={() => apply('all')}>
          {t('apply', { count })}
        </Button>
      )}
      {faultCount > 0 && <FaultsButton file={file} outcome={outcome} />}
      {!applied && faultCount > 0 && readToEnd && count > 0 && (
        <GoodLines outcome={outcome} apply={() => apply('good')} />
      )}
    </div>
  )
}

function Steps() {
  const { file, send, choose, apply } = useImport()
  const outcome = send.output
  return (
    <div className={styles['steps']}>
      <FileChoice file={file} choose={choose} />
      {send.busy && <Skeleton height={80} />}
      {send.failure && <Refusal failure={send.failure} />}
      {outcome && <ImportOutcome outcome={outcome} />}
      {file && outcome && <Acts file={file} outcome={outcome} apply={apply} />}
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
