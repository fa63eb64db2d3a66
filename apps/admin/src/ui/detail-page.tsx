import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import page from './detail-page.module.css'
import { Icon } from './icon.tsx'
import { CopyButton, Shortened } from './identifier.tsx'
import { Link } from './link.tsx'
import styles from './page-header.module.css'
import { PageHeader } from './page-header.tsx'
import { Panel } from './panel.tsx'
import { Skeleton } from './skeleton.tsx'
import { VisuallyHidden } from './text.tsx'

/** The way back from one thing to the list it stands in. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={styles['back']}>
      <Icon name="back" />
      {children}
    </Link>
  )
}

type DetailHeadProps = {
  back: { href: string; label: string }
  /** What it is called, or comes to: loud. */
  title: ReactNode
  /** What the thing is known by: short and grey beside its title, unless that is its title; whole to point at and to copy. */
  id: { value: string; name: string; whole?: boolean }
  /** Keeps it at hand. */
  pin?: ReactNode
  /** How it stands. */
  state: ReactNode
  actions?: ReactNode
  /** What it is marked with. */
  tags?: ReactNode
}

/** The head of the page of one thing. */
export const DetailHead = ({ back, title, id, pin, state, actions, tags }: DetailHeadProps) => (
  <PageHeader
    before={<BackLink href={back.href}>{back.label}</BackLink>}
    title={
      <span className={page['title']}>
        {title}
        {title !== id.value && (
          <span className={page['number']} title={id.value} data-raw="">
            {id.whole ? id.value : <Shortened value={id.value} />}
          </span>
        )}
      </span>
    }
    aside={
      <span className={page['state']}>
        <span className={page['marks']}>
          <CopyButton text={id.value} name={id.name} />
          {pin}
        </span>
        {state}
      </span>
    }
    actions={actions}
    below={tags}
  />
)

type DetailColumnsProps = {
  children: ReactNode
  /** Whoever and whatever the thing belongs to. */
  aside: ReactNode
}

/** What the page of one thing holds: the thing itself, and to the right what it belongs to; in narrow windows below it. */
export const DetailColumns = ({ children, aside }: DetailColumnsProps) => (
  <div className={page['columns']}>
    <div className={page['column']}>{children}</div>
    <div className={page['column']}>{aside}</div>
  </div>
)

/** The shape of one thing's page before its content; without children, of one whose panels are not known. */
export function DetailSkeleton({ children }: { children?: ReactNode }) {
  const loading = useTranslations('ui')('loading')
  return (
    <div aria-busy="true">
      <PageHeader
        before={<Skeleton width={110} />}
        title={
          <>
            <VisuallyHidden>{loading}</VisuallyHidden>
            <Skeleton width={320} height={26} />
          </>
        }
      />
      {children ?? (
        <Panel>
          <Skeleton height={320} />
        </Panel>
      )}
    </div>
  )
}
