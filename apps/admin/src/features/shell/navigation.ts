import { mayOperator, type OperatorRole, type Permission } from '@meridian/contracts'
import type { zhCN } from '../../messages/zh-CN/index.ts'
import { paths } from '../../paths.ts'
import type { IconName } from '../../ui/icon.tsx'

type ShellWords = (typeof zhCN)['shell']
export type PageEntry = {
  key: keyof ShellWords['pages']
  group: keyof ShellWords['groups']
  icon: IconName
  href: string
  /** Without it the page shows nothing: its entry then says why instead of leading there. */
  permission?: Permission
  /** Its letter after `g`, where that is not the next free one of its name. */
  letter?: string
}

/** Every page of the side navigation, in its order: a new page is one line here and its name in the messages. */
export const navigation: readonly PageEntry[] = [
  { key: 'dashboard', group: 'overview', icon: 'monitor', href: paths.dashboard() },
  { key: 'waiting', group: 'overview', icon: 'todo', href: paths.inbox() },
  { key: 'orders', group: 'sales', icon: 'receipt', href: paths.orders() },
  { key: 'subscriptions', group: 'sales', icon: 'clock', href: paths.subscriptions() },
  { key: 'plans', group: 'sales', icon: 'tag', href: paths.plans() },
  { key: 'users', group: 'people', icon: 'user', href: paths.users() },
  { key: 'devices', group: 'people', icon: 'device', href: paths.devices() },
  { key: 'reports', group: 'people', icon: 'pulse', href: paths.reports(), permission: 'report.read' },
  { key: 'diagnosis', group: 'people', icon: 'book', href: paths.diagnosis() },
  { key: 'refunds', group: 'money', icon: 'refund', href: paths.refunds() },
  { key: 'alerts', group: 'money', icon: 'alert', href: paths.alerts() },
  { key: 'approvals', group: 'money', icon: 'check', href: paths.approvals() },
  { key: 'reconciliation', group: 'money', icon: 'checkCircle', href: paths.reconciliation() },
  { key: 'shipping', group: 'money', icon: 'inbox', href: paths.shipping() },
  { key: 'notifications', group: 'system', icon: 'inbox', href: paths.notifications(), letter: 'z' },
  { key: 'settings', group: 'system', icon: 'sliders', href: paths.settings() },
  { key: 'exports', group: 'system', icon: 'download', href: paths.exports() },
  { key: 'jobs', group: 'system', icon: 'sync', href: paths.jobs(), permission: 'job.manage' },
  { key: 'keys', group: 'system', icon: 'key', href: paths.keys(), permission: 'key.read' },
  { key: 'audit', group: 'system', icon: 'scroll', href: paths.audit() },
  { key: 'staff', group: 'system', icon: 'users', href: paths.staff(), permission: 'operator.manage' },
  // Last in the table, so that the letters of the pages above stay what they are.
  { key: 'finance', group: 'money', icon: 'calendar', href: paths.finance() },
  { key: 'revenue', group: 'money', icon: 'chart', href: paths.revenue() },
  { key: 'tags', group: 'people', icon: 'tag', href: paths.tags(), permission: 'tag.manage' },
  { key: 'developers', group: 'system', icon: 'key', href: paths.developers(), permission: 'api_key.manage' },
]

/** The group whose pages stand on the first level themselves, one press away from everywhere. */
export const FIRST_GROUP = 'overview'

/** What each group shows beside its name, and alone where the navigation is folded to icons. */
export const groupIcons: Readonly<Record<PageEntry['group'], IconName>> = {
  overview: 'monitor',
  sales: 'receipt',
  people: 'users',
  money: 'wallet',
  system: 'sliders',
}

/** Whether the page shows anything to an operator of this role. */
export const mayOpen = ({ permission }: PageEntry, role: OperatorRole): boolean =>
  permission === undefined || mayOperator(role, permission)

/** Whether the address lies on the page or below it. */
export const isOn = (href: string, pathname: string): boolean =>
  pathname === href || pathname.startsWith(`${href}/`)

/** The entries, group by group, in the table's order. */
export function navigationGroups(entries: readonly PageEntry[] = navigation) {
  return [...new Set(entries.map(({ group }) => group))].map((group) => ({
    group,
    pages: entries.filter((entry) => entry.group === group),
  }))
}

/** The group that is open on a page: that of the page itself, of a page of the first level the first that opens. */
export function groupOfPage(pathname: string): PageEntry['group'] | undefined {
  const here = navigation.find(({ href }) => isOn(href, pathname))?.group
  if (here !== undefined && here !== FIRST_GROUP) return here
  return navigation.find(({ group }) => group !== FIRST_GROUP)?.group
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz'

/** The letter that goes to each page after `g`: the first of its name, else of the alphabet, that no page above it has taken; none to a page that is closed to the role. */
export function jumps(
  role: OperatorRole,
): { letter: string; key: (typeof navigation)[number]['key']; href: string }[] {
  // `n` writes a note and `t` sets a tag on the page where one is.
  const taken = new Set(['g', 'n', 't', ...navigation.flatMap(({ letter }) => letter ?? [])])
  return navigation.flatMap((entry) => {
    const { key, href } = entry
    const free = [...key.toLowerCase(), ...alphabet].find((candidate) => !taken.has(candidate))
    const letter = entry.letter ?? free
    if (letter === undefined) return []
    taken.add(letter)
    return mayOpen(entry, role) ? [{ letter, key, href }] : []
  })
}
