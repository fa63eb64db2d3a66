import { useLocale, useMessages, useTranslations } from 'next-intl'
import { formatList } from '../../format.ts'
import { readCron } from './read-cron.ts'

/** When a job runs, in words and by the clock of the business; a line that is not understood as it is written. */
export function useTimes(): (cron: string) => string {
  const t = useTranslations('jobs.times')
  const language = useLocale()
  return (cron) => {
    const times = readCron(cron)
    if (times === null) return `${cron} (UTC)`
    switch (times.kind) {
      case 'everyMinutes':
        return t('everyMinutes', { minutes: times.minutes })
      case 'hourly':
        return t('hourly', { minute: times.minute })
      case 'daily':
        return t('daily', { times: formatList(times.times, language) })
      case 'between':
        return t('between', { from: times.from, to: times.to })
    }
  }
}

/** The word for a job; one that this console does not know yet is shown by its name. */
export function useJobName(): (job: string) => string {
  const words: Readonly<Record<string, string>> = useMessages().jobs.names
  return (job) => words[job] ?? job
}
