import { ImportAnswer, type ImportKind, importColumns } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { askForFile } from '../../api-client/ask-for-file.ts'
import { developerPaths } from '../../developer-paths.ts'
import { useAct } from '../../kit/act/use-act.ts'
import { Button } from '../../ui/button.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Raw } from '../../ui/text.tsx'
import styles from '../devices/import/import.module.css'
import { ImportOutcome, isImportUnderWay, saveCsv } from './import-outcome.tsx'

const kinds = ['subscribers', 'orders', 'bindings'] as const satisfies readonly ImportKind[]
const WATCH_MS = 1_000

type Sent = { file: File; kind: ImportKind; dryRun: boolean }

/**
 * Sends a file for a worker to check or to import; answers the import.
 * @throws FileRefused
 */
async function sendFile({ file, kind, dryRun }: Sent): Promise<string> {
  const path = developerPaths.importFile({ kind, dryRun, fileName: file.name.slice(0, 255) })
  const answer = await askForFile(path, { headers: { 'content-type': 'text/csv' }, body: file })
  return ImportAnswer.parse(await answer.json()).id
}

type ChoiceProps = { kind: ImportKind; setKind: (kind: ImportKind) => void }

function KindChoice({ kind, setKind }: ChoiceProps) {
  const t = useTranslations('imports')
  return (
    <div className={styles['acts']}>
      <Select
        aria-label={t('kind')}
        value={kind}
        options={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        onChange={setKind}
      />
      <Button
        icon={<Icon name="download" />}
        onClick={() => saveCsv([importColumns[kind]], `${kind}-template.csv`)}
      >
        {t('template')}
      </Button>
    </div>
  )
}

/** Checks a file first, and imports the very file that was checked. */
function useImport(follow: (id: string) => void) {
  const t = useTranslations('imports')
  const [kind, setKind] = useState<ImportKind>('subscribers')
  const [file, setFile] = useState<File | null>(null)
  const send = useAct({
    call: (api) => async (sent: Sent) => {
      await api.import.admit.mutate()
      return sendFile(sent)
    },
    invalidates: ['import'],
    done: (_, { dryRun }) => t(dryRun ? 'sentToCheck' : 'sentToImport'),
    after: follow,
  })
  const choose = (chosen: File) => {
    setFile(chosen)
    send.reset()
    send.run({ file: chosen, kind, dryRun: true })
  }
  const apply = () => file && send.run({ file, kind, dryRun: false })
  const turnTo = (other: ImportKind) => {
    setKind(other)
    setFile(null)
    send.reset()
  }
  return { kind, turnTo, file, send, choose, apply }
}

type StepsProps = { followed: string | null; follow: (id: string) => void }

/** A new import: what it is of, the file, what a check says of it, and then the import itself. */
export function ImportSteps({ followed, follow }: StepsProps) {
  const t = useTranslations('imports')
  const { kind, turnTo, file, send, choose, apply } = useImport(follow)
  const { data: shown } = useQuery({
    ...useTRPC().import.show.queryOptions({ id: followed ?? '' }),
    enabled: followed !== null,
    refetchInterval: ({ state: { data } }) =>
      data === undefined || isImportUnderWay(data) ? WATCH_MS : false,
  })
  const isReady = file !== null && shown?.id === send.output && shown?.state === 'checked'
  return (
    <div className={styles['steps']}>
      <KindChoice kind={kind} setKind={turnTo} />
      <FileField
        label={t('file')}
        dropWords={t('drop')}
        accept=".csv,text/csv"
        hint={
          <>
            {t('fileHint')} <Raw>{importColumns[kind].join(',')}</Raw>
          </>
        }
        file={file}
        onChoose={choose}
      />
      {send.busy && <Skeleton height={80} />}
      {send.failure && (
        <Notice tone="bad" role="alert">
          {send.failure.title}
        </Notice>
      )}
      {!send.busy && followed !== null && shown && <ImportOutcome shown={shown} />}
      {isReady && shown.lines > 0 && (
        <div className={styles['acts']}>
          <Button look="primary" icon={<Icon name="upload" />} onClick={apply}>
            {t('apply', { count: shown.lines })}
          </Button>
        </div>
      )}
    </div>
  )
}
