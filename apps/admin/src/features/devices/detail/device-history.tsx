import type { DeviceBinding } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { BindingEnd } from '../binding-end.tsx'

/** Everybody who has or had the device, the newest first. */
export function DeviceHistory({ bindings }: { bindings: readonly DeviceBinding[] }) {
  const t = useTranslations('devices')
  return (
    <Panel title={t('history')}>
      <PlainTable
        caption={t('history')}
        rows={bindings}
        rowKey={({ id }) => id}
        empty={t('noHistory')}
        columns={[
          {
            key: 'user',
            title: t('columns.owner'),
            cell: ({ userId }) => (
              <Identifier value={userId} name={t('ownerId')} href={paths.user({ id: userId })} />
            ),
          },
          { key: 'boundAt', title: t('boundAt'), cell: ({ boundAt }) => <DateTime time={boundAt} /> },
          { key: 'end', title: t('columns.state'), cell: (binding) => <BindingEnd binding={binding} /> },
        ]}
      />
    </Panel>
  )
}
