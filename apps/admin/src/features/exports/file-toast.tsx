import type { ExportNews } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { paths } from '../../paths.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { DownloadFile, useFileName } from './download-file.tsx'
import styles from './file-toast.module.css'

/** Says that a file is ready, or could not be written, until it is taken or put away. */
export function FileToast({ file, dismiss }: { file: ExportNews; dismiss: () => void }) {
  const t = useTranslations('exports')
  const announce = useAnnounce()
  const isReady = file.state === 'done'
  const text = t(isReady ? 'ready' : 'notWritten', { file: useFileName()(file) })
  useEffect(() => announce(text, { quiet: true }), [announce, text])
  return (
    <li className={styles['toast']}>
      <span className={styles['text']} data-failed={!isReady || undefined}>
        <Icon name={isReady ? 'checkCircle' : 'alert'} />
        {text}
      </span>
      <span className={styles['acts']}>
        {isReady && <DownloadFile file={file} quiet onDone={dismiss} />}
        <Link href={paths.exports()} prefetch={false} onClick={dismiss}>
          {t('toExports')}
        </Link>
        <IconButton label={t('dismiss')} onClick={dismiss}>
          <Icon name="close" />
        </IconButton>
      </span>
    </li>
  )
}
