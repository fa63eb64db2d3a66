import { taggedKinds } from '@meridian/contracts'
import { Command } from 'cmdk'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import { useTagChoices } from '../tags/use-tag-choices.ts'
import { Row } from './palette-row.tsx'

const lists = { order: paths.orders, user: paths.users, device: paths.devices } as const

/** So many tags are offered of those that have what is typed, with or without a # before it. */
const FEW = 3

/** The lists of what bears a tag, by its label. */
export function TaggedLists({ text, go }: { text: string; go: (href: string) => void }) {
  const t = useTranslations('palette.tagged')
  const { data } = useTagChoices()
  const wanted = text.trim().replace(/^#/, '').toLowerCase()
  const tags = (data?.items ?? []).filter(({ label }) => label.toLowerCase().includes(wanted))
  if (wanted === '' || tags.length === 0) return null
  return (
    <Command.Group heading={t('heading')}>
      {tags
        .slice(0, FEW)
        .flatMap(({ id, label }) =>
          taggedKinds.map((kind) => (
            <Row
              key={`${kind}-${id}`}
              icon="tag"
              text={t(kind, { label: `#${label}` })}
              choose={() => go(lists[kind]({ tag: id }))}
            />
          )),
        )}
    </Command.Group>
  )
}
