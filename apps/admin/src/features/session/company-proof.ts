import type { ConsoleContext } from '@meridian/contracts'
import { useTranslations } from 'next-intl'

/** What the company is called where somebody shows there who they are. */
export function useCompanyName(company: ConsoleContext['company']): string {
  const t = useTranslations('session.stepUp')
  return company?.name ?? t('company')
}

const CHANNEL = 'meridian.step-up'

/** Tells the other tabs of this console that somebody has just shown who they are. It says nothing else: the API judges. */
export function tellProof(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(null)
  channel.close()
}

/** Hears of it. Answers how to stop. */
export function hearProof(onProof: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', onProof)
  return () => channel.close()
}
