'use client'

import type { ExportNews } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { takeWatched, watchFiles } from '../../kit/list/watched-files.ts'
import { paths } from '../../paths.ts'
import { isUnderWay, useOwnFiles } from '../shell/use-waiting.ts'
import styles from './file-toast.module.css'

const FileToast = dynamic(() => import('./file-toast.tsx').then((module) => module.FileToast), { ssr: false })

const idOf = ({ id }: ExportNews): string => id

/** Those that ended since they were seen under way, each once; on the page of the exports it is seen anyway. */
function useNews() {
  const files = useOwnFiles()
  const isShownAnyway = usePathname() === paths.exports()
  const [news, setNews] = useState<readonly ExportNews[]>([])
  useEffect(() => {
    watchFiles(files.filter(isUnderWay).map(idOf))
    const ended = takeWatched(files.filter((file) => !isUnderWay(file)).map(idOf))
    const told = files.filter(({ id, state }) => ended.includes(id) && state !== 'cancelled')
    if (told.length > 0 && !isShownAnyway) setNews((before) => [...before, ...told])
  }, [files, isShownAnyway])
  const dismiss = (id: string) => setNews((shown) => shown.filter((file) => file.id !== id))
  return { news: isShownAnyway ? [] : news, dismiss }
}

/** Tells whoever had a list written, and went elsewhere meanwhile, that the file is there. */
export function FileNews() {
  const t = useTranslations('exports')
  const { news, dismiss } = useNews()
  if (news.length === 0) return null
  return (
    <aside aria-label={t('news')}>
      <ul className={styles['toasts']}>
        {news.map((file) => (
          <FileToast key={file.id} file={file} dismiss={() => dismiss(file.id)} />
        ))}
      </ul>
    </aside>
  )
}
