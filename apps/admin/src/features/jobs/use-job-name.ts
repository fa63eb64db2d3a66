import { useMessages } from 'next-intl'

/** The word for a job; one that this console does not know yet is shown by its name. */
export function useJobName(): (job: string) => string {
  const words: Readonly<Record<string, string>> = useMessages().jobs.names
  return (job) => words[job] ?? job
}
