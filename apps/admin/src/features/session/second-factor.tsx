'use client'

import { EnrolmentConfirmation } from '@meridian/contracts'
import { useMutation } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { paths } from '../../paths.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { copyText, saveFile } from '../../ui/copy-and-save.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { FormShell } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CodeField } from './code-field.tsx'
import styles from './session.module.css'

const QrCode = dynamic(() => import('../../ui/qr-code.tsx').then((module) => module.QrCode), {
  ssr: false,
  loading: () => <Skeleton />,
})

/** A new secret for as long as the form is shown. */
function useEnrolment() {
  const trpc = useTRPC()
  const start = useMutation(trpc.operator.startEnrolment.mutationOptions())
  const { mutate } = start
  useEffect(() => mutate(), [mutate])
  return start
}

function SecretPicture({ uri, secret }: { uri: string; secret: string }) {
  const t = useTranslations('session.enrol')
  return (
    <div className={styles['steps']}>
      <div className={styles['picture']} role="img" aria-label={t('picture')}>
        <QrCode value={uri} size={208} />
      </div>
      <div>
        {t('scan')}
        {t('orType')}
      </div>
      <Identifier value={secret} name={t('secret')} whole />
    </div>
  )
}

type EnrolmentFormProps = { lead: string; onDone: () => void; cancelPath: string | null }

/** An authenticator is set up: the picture, its first code, the recovery codes. */
function EnrolmentForm({ lead, onDone, cancelPath }: EnrolmentFormProps) {
  const t = useTranslations('session')
  const failureOf = useFailure()
  const [code, setCode] = useState('')
  const start = useEnrolment()
  const confirm = useAct({ call: (api) => api.operator.confirmEnrolment.mutate, invalidates: [] })
  if (confirm.output) return <RecoveryCodeSheet codes={confirm.output.recoveryCodes} onDone={onDone} />
  const failed = failureOf(start.error)
  if (failed) return <FailurePanel failure={failed} onRetry={() => start.mutate()} />
  const entry = EnrolmentConfirmation.safeParse({ ticket: start.data?.ticket, code })
  return (
    <FormShell
      title={t('enrol.heading')}
      lead={lead}
      submitLabel={t('enrol.confirm')}
      submitting={confirm.busy}
      failure={confirm.failure?.title ?? null}
      onSubmit={() => entry.success && confirm.run(entry.data)}
      after={cancelPath && <a href={cancelPath}>{t('enrol.cancel')}</a>}
    >
      {start.data ? <SecretPicture {...start.data} /> : <div className={styles['picture']} />}
      <CodeField value={code} onChange={setCode} recovery={false} />
    </FormShell>
  )
}

type SecondFactorSetupProps = {
  /** Whether nothing else is open to the operator before. */
  forced: boolean
  required: boolean
}

/** The page that sets an authenticator up, and leads back to the console. */
export function SecondFactorSetup({ forced, required }: SecondFactorSetupProps) {
  const t = useTranslations('session.enrol')
  return (
    <EnrolmentForm
      lead={required ? t('required') : t('optional')}
      cancelPath={forced ? null : paths.home()}
      onDone={() => location.assign(paths.home())}
    />
  )
}

const download = (codes: readonly string[]) =>
  saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'meridian-recovery-codes.txt')

/** Recovery codes, and the ways to keep them. */
function RecoveryCodeList({ codes }: { codes: readonly string[] }) {
  const t = useTranslations('session.enrol')
  const announce = useAnnounce()
  const copyAll = async () => {
    if (await copyText(codes.join('\n'))) announce(t('copied'))
  }
  return (
    <>
      <ul className={styles['codes']} aria-label={t('codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles['line']}>
        <Button icon={<Icon name="copy" />} onClick={copyAll}>
          {t('copyAll')}
        </Button>
        <Button onClick={() => download(codes)}>{t('download')}</Button>
      </div>
    </>
  )
}

/** What is said where recovery codes are shown, this once. */
function useSheet(codes: readonly string[]) {
  const t = useTranslations('session.enrol')
  const words = { title: t('codesHeading'), lead: t('codesLead'), submitLabel: t('kept') }
  return { ...words, submitting: false, failure: null, children: <RecoveryCodeList codes={codes} /> }
}

/** The one time that recovery codes are shown, after an authenticator was set up. */
export function RecoveryCodeSheet({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return <FormShell {...useSheet(codes)} onSubmit={onDone} />
}

/** New recovery codes, shown this once. */
export function RenewedCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return <Dialog {...useSheet(codes)} onSubmit={onClose} onClose={onClose} />
}
