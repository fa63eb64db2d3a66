import { type TagChip, TagLabel } from '@meridian/contracts'

type Sought = { choices: readonly TagChip[]; borne: readonly TagChip[]; text: string }
export type Offered = { tags: TagChip[]; newLabel: string | null }

/**
 * What may be set while a text is typed: the tags in use that have it in their label and are not set yet, those that
 * begin with it first; and the text itself as a new label, where it can be one and no tag in use has it.
 */
export function offeredTags({ choices, borne, text }: Sought): Offered {
  const wanted = text.trim().toLowerCase()
  const inUse = choices.filter(({ isArchived }) => !isArchived)
  const isSet = ({ id }: TagChip) => borne.some((tag) => tag.id === id)
  const startsSo = ({ label }: TagChip) => (label.toLowerCase().startsWith(wanted) ? 0 : 1)
  const tags = inUse
    .filter((tag) => !isSet(tag) && tag.label.toLowerCase().includes(wanted))
    .toSorted((one, other) => startsSo(one) - startsSo(other))
  const isTaken = inUse.some(({ label }) => label.toLowerCase() === wanted)
  const label = TagLabel.safeParse(text)
  return { tags, newLabel: label.success && !isTaken ? label.data : null }
}
