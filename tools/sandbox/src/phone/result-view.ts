import type { Outcome } from '@meridian/miniprogram-client'
import { byId, openDialog } from './page.ts'
import { text } from './texts.ts'

type Finished = Extract<Outcome, { kind: 'paid' | 'pending' }>

/** The page after paying: it says at once that it is looking, and then what the server knows. */
export function openResult(): {
  show: (outcome: Finished) => void
  closed: Promise<'done' | 'sync'>
  close: () => void
} {
  say('…', text('checking'), text('checkingText'))
  byId('result-done').hidden = true
  byId('result-sync').hidden = true
  const title = byId('result-title')
  const close = openDialog(byId('result'), title)
  const closed = new Promise<'done' | 'sync'>((resolve) => {
    byId('result-done').addEventListener('click', () => resolve('done'), { once: true })
    byId('result-sync').addEventListener('click', () => resolve('sync'), { once: true })
  })
  return { show, closed, close }
}

function show(outcome: Finished): void {
  if (outcome.kind === 'paid') {
    const days = outcome.subscription?.remaining_days ?? outcome.order.plan.duration_days
    say('✓', text('paidTitle'), text('paidText', { days }))
  } else say('…', text('pendingTitle'), text('pendingText'))
  byId('result').setAttribute('data-kind', outcome.kind)
  byId('result-sync').hidden = outcome.kind === 'paid'
  byId('result-done').hidden = false
  byId('result-done').focus()
}

function say(mark: string, title: string, words: string): void {
  byId('result-mark').textContent = mark
  byId('result-title').textContent = title
  byId('result-text').textContent = words
}
