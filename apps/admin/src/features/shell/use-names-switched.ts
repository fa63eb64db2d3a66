import { useRouter } from 'next/navigation'

/** Shows the names of users for the rest of the session, or masks them again: every page is then read anew. */
export function useNamesSwitched() {
  const router = useRouter()
  return {
    invalidates: [
      'order',
      'user',
      'refund',
      'subscription',
      'device',
      'report',
      'search',
      'operator',
    ] as const,
    after: () => router.refresh(),
  }
}
