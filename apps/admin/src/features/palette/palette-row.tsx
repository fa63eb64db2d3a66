import { Command } from 'cmdk'
import { Icon, type IconName } from '../../ui/icon.tsx'
import styles from './palette.module.css'

type RowProps = { icon: IconName; text: string; choose: () => void }

/** A page or a command, found by its name. */
export const Row = ({ icon, text, choose }: RowProps) => (
  <Command.Item value={text} onSelect={choose} className={styles['item'] ?? ''}>
    <Icon name={icon} />
    <span className={styles['text']}>{text}</span>
  </Command.Item>
)
