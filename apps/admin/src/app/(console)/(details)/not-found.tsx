import { retention } from '@meridian/contracts'
import { getMessages, getTranslations } from 'next-intl/server'
import { Missing } from '../../../features/shell/missing.tsx'
import { paths } from '../../../paths.ts'

/** A thing that is not there, in the words of its kind; the page itself says which kind it is. */
export default async function DetailNotFound() {
  const { alerts, devices, notifications, order, refunds, subscriptions, users } = await getMessages()
  const t = await getTranslations()
  const kinds = [
    { href: paths.alerts(), words: alerts, hint: t('alerts.notFoundHint', retention.alerts) },
    { href: paths.devices(), words: devices },
    {
      href: paths.notifications(),
      words: notifications,
      hint: t('notifications.notFoundHint', retention.notifications),
    },
    { href: paths.orders(), words: order },
    { href: paths.refunds(), words: refunds },
    { href: paths.subscriptions(), words: subscriptions },
    { href: paths.users(), words: users },
  ].map(({ href, words: { notFound, notFoundHint, back }, hint = notFoundHint }) => ({
    href,
    title: notFound,
    hint,
    back,
  }))
  return <Missing kinds={kinds} />
}
