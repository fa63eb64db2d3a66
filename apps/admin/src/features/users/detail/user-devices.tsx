import type { UserDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { BindingEnd } from '../../devices/binding-end.tsx'

/** What the user has bound, and had before. */
export function UserDevices({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  return (
    <Panel title={t('devices')}>
      <PlainTable
        caption={t('devices')}
        rows={user.bindings}
        rowKey={({ serialNumber, boundAt }) => `${serialNumber} ${boundAt.getTime()}`}
        empty={t('noDevices')}
        columns={[
          {
            key: 'serial',
            title: t('serialNumber'),
            cell: (binding) => (
              <Identifier
                value={binding.serialNumber}
                name={t('serialNumber')}
                href={paths.device(binding)}
                whole
              />
            ),
          },
          { key: 'model', title: t('model'), cell: ({ model }) => model },
          { key: 'boundAt', title: t('boundAt'), cell: ({ boundAt }) => <DateTime time={boundAt} /> },
          { key: 'end', title: t('columns.state'), cell: (binding) => <BindingEnd binding={binding} /> },
        ]}
      />
    </Panel>
  )
}
