'use client'

import { useTranslations } from 'next-intl'
import type { Failure } from '../ui/failure-panel.tsx'
import { problemOf } from './problem.ts'

/** Turns what a query or mutation failed with into what the page can say. */
export function useFailure(): (error: unknown) => Failure | null {
  const t = useTranslations('ui')
  return (error) => {
    if (error === null || error === undefined) return null
    const problem = problemOf(error)
    const faults = problem?.errors?.map(({ message }) => message)
    return problem
      ? { title: problem.title, requestId: problem.requestId, ...(faults && { faults }) }
      : { title: t('unreachable'), requestId: null }
  }
}
