import { Icon, type IconName } from '../../ui/icon.tsx'
import iconStyles from '../../ui/icon-button.module.css'
import { Link } from '../../ui/link.tsx'

type RowLinkProps = { href: string; icon: IconName; label: string }

/** A way to what a row belongs to. */
export const RowLink = ({ href, icon, label }: RowLinkProps) => (
  <Link href={href} className={iconStyles['button'] ?? ''} aria-label={label} title={label}>
    <Icon name={icon} />
  </Link>
)
