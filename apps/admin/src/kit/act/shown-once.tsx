import { TellingDialog } from '../../ui/dialog.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { Notice } from '../../ui/notice.tsx'

type ShownOnceProps = {
  title: string
  lead: string
  /** What closes it. */
  done: string
  /** What is shown, and what it is called. */
  name: string
  secret: string
  /** How long it counts, or that nobody can look at it again. */
  note: string
  icon?: 'clock' | 'lock'
  onClose: () => void
}

/** The one time that a secret is shown, to be copied. */
export const ShownOnce = ({
  title,
  lead,
  done,
  name,
  secret,
  note,
  icon = 'lock',
  onClose,
}: ShownOnceProps) => (
  <TellingDialog {...{ title, lead, onClose }} submitLabel={done}>
    <Identifier value={secret} name={name} whole />
    <Notice tone="wait" icon={icon}>
      {note}
    </Notice>
  </TellingDialog>
)
