import { CopyButton } from './identifier.tsx'
import { Link } from './link.tsx'
import styles from './person.module.css'
import { VisuallyHidden } from './text.tsx'

const TAIL = 6

export type PersonProps = {
  id: string
  /** What the id is called where it is copied. */
  idName: string
  /** Their nickname; null where they have none. */
  name: string | null
  href: string
  /** Who a page or a panel is about: in large letters, and never cut off. */
  loud?: boolean
  /** The name tells people apart: in a narrow list it stands without the end of the id. */
  brief?: boolean
}

/** Somebody by their name, which leads to their page; beside it the end of their id, whole to point at and to copy. */
export function Person({ id, idName, name, href, loud = false, brief = false }: PersonProps) {
  const end = `…${id.slice(-TAIL)}`
  return (
    <span
      className={styles['person']}
      data-loud={loud || undefined}
      data-brief={brief || undefined}
      title={id}
    >
      <Link href={href} className={styles['name']} data-raw="" data-nameless={name === null || undefined}>
        {name ?? end}
        {name === null && <VisuallyHidden>{id}</VisuallyHidden>}
      </Link>
      <span className={styles['end']}>
        {name !== null && (
          <span className={styles['id']} data-raw="">
            {end}
          </span>
        )}
        <CopyButton text={id} name={idName} />
      </span>
    </span>
  )
}
