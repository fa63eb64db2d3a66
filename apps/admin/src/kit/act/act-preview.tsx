import type { ReactNode } from 'react'
import { DescriptionList, type Fact } from '../../ui/description-list.tsx'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'

type ActPreviewProps = {
  title: string
  /** It shows what was typed before; what is typed now is on its way. */
  busy: boolean
  facts: readonly Fact[]
  /** Why somebody else must agree; null where nobody must. */
  secondPerson: string | null
  children?: ReactNode
}

/** What pressing the button of an act would do, by the rules that do it. */
export function ActPreview({ title, busy, facts, secondPerson, children }: ActPreviewProps) {
  return (
    <section
      className={layout['preview']}
      aria-label={title}
      aria-live="polite"
      aria-busy={busy}
      data-busy={busy || undefined}
    >
      <h3>{title}</h3>
      <DescriptionList items={facts} wide />
      {secondPerson && (
        <Notice tone="wait" icon="clock">
          {secondPerson}
        </Notice>
      )}
      {children}
    </section>
  )
}
