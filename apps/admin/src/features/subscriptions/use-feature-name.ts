import { useMessages } from 'next-intl'

/** The word for a feature; one that this console does not know yet is shown by its code. */
export function useFeatureName(): (feature: string) => string {
  const words: Readonly<Record<string, string>> = useMessages().subscriptions.features
  return (feature) => words[feature] ?? feature
}
