import { englishOf, type PlanDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useLocale } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import type { Language } from '../../messages/languages.ts'

type Named = Pick<PlanDetail, 'name' | 'nameEn'>

/** What a plan is called in a language; in Chinese where that is all there is. */
export const planNameIn = ({ name, nameEn }: Named, language: Language): string =>
  language === 'en' ? (nameEn ?? name) : name

/** What stands beside its name, in a language; in Chinese where that is all there is. */
export const planBadgeIn = (
  { badge, badgeEn }: Pick<PlanDetail, 'badge' | 'badgeEn'>,
  language: Language,
): string | null => (language === 'en' ? (badgeEn ?? badge) : badge)

/** The plans by name, for the filters and for the English of what was sold. */
export function usePlanNames() {
  return useQuery({ ...useTRPC().plan.list.queryOptions(), staleTime: 300_000 })
}

type SoldName = <Sold extends string | null>(soldAs: Sold) => Sold | string

/** What a sold plan is called in the operator's language. */
export const useSoldName = (): SoldName => useSoldNameIn(useLocale())

/**
 * What a sold plan is called in a language. An order keeps the name it was sold under; in English it shows the English of
 * that name where it is known.
 */
export function useSoldNameIn(language: Language): SoldName {
  const isEnglish = language === 'en'
  const plans = useQuery({
    ...useTRPC().plan.list.queryOptions(),
    staleTime: 300_000,
    enabled: isEnglish,
  })
  return (soldAs) => (isEnglish && soldAs && englishOf(soldAs, plans.data?.items ?? [])) || soldAs
}
