import type { ReactNode } from 'react'
import { BackLink } from './back-link.tsx'
import { CopyButton } from './copy-button.tsx'
import page from './detail-page.module.css'
import { PageHeader } from './page-header.tsx'

type DetailHeadProps = {
  back: { href: string; label: string }
  title: ReactNode
  /** What the thing is known by, to copy. */
  id: { value: string; name: string }
  /** How it stands. */
  state: ReactNode
  actions?: ReactNode
}

/** The head of the page of one thing. */
export const DetailHead = ({ back, title, id, state, actions }: DetailHeadProps) => (
  <PageHeader
    before={<BackLink href={back.href}>{back.label}</BackLink>}
    title={title}
    aside={
      <span className={page['state']}>
        <CopyButton text={id.value} name={id.name} />
        {state}
      </span>
    }
    actions={actions}
  />
)

/** A title and beside it, smaller, the number of what it names. */
export const NumberedTitle = ({ children, number }: { children: ReactNode; number: ReactNode }) => (
  <span className={page['title']}>
    {children}
    <span className={page['number']}>{number}</span>
  </span>
)
