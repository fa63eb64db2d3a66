import { useMessages } from 'next-intl'

/** Why the payment platform did not accept a refund, in words; its code stands beside them, marked as raw. */
export function useFailureWords(): (code: string) => string {
  const { refunds } = useMessages()
  const words: Readonly<Record<string, string>> = refunds.failures
  return (code) => words[code] ?? refunds.failures.other
}
