import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'

type Concerning = { userId: string | null; customer: string | null }

/** How a list shows whom a row concerns, for `column.person`: by `userId`, which leads to their page. */
export function useCustomerPlace() {
  const t = useTranslations('ui')
  return {
    id: ({ userId }: Concerning) => userId,
    idName: t('userId'),
    href: (id: string) => paths.user({ id }),
  }
}
