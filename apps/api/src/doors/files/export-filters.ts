import {
  confirmedByWords,
  type DeviceFilter,
  deviceOriginWords,
  deviceStateWords,
  type OrderFilter,
  orderMarkWords,
  orderStatusWords,
  orderStepWords,
  type PaymentChannel,
  paymentChannelWords,
  type RefundFilter,
  refundStatusWords,
  type SubscriptionFilter,
  subscriptionStateWords,
  type UserFilter,
  userStateWords,
  type Words,
} from '@meridian/contracts'
import type { Language } from '../problem.ts'
import { BEIJING_OFFSET_MS, beijingTime, inYuan } from './sheet.ts'

/** How one condition of a filter is called, and what it says; null where it does not narrow the list. */
type Phrase = { name: string; said: string | null }
export type FilterPhrase<Filter> = (filter: Filter, language: Language) => Phrase

type Bounds = { from?: string | undefined; to?: string | undefined }

const DAY_MS = 24 * 3_600_000
const colon = { zh: '：', en: ': ' } as const satisfies Words

const labelled = (name: Words, language: Language, said: string | null | undefined): Phrase => ({
  name: name[language],
  said: said ?? null,
})

/** The conditions that narrow the list, each with its name before it. */
export const tellPhrases = (phrases: readonly Phrase[], language: Language): string[] =>
  phrases.flatMap(({ name, said }) => (said === null ? [] : `${name}${colon[language]}${said}`))

/** A condition as it was written: a search, a code that people gave. */
export const asWritten =
  <Filter>(zh: string, en: string, value: (filter: Filter) => string | undefined): FilterPhrase<Filter> =>
  (filter, language) =>
    labelled({ zh, en }, language, value(filter))

/** A condition of a few, by what it is called. */
export const byName =
  <Filter>(
    zh: string,
    en: string,
    say: (filter: Filter, language: Language) => string | undefined,
  ): FilterPhrase<Filter> =>
  (filter, language) =>
    labelled({ zh, en }, language, say(filter, language))

const between = ({ from, to }: Bounds, language: Language): string | null => {
  if (from !== undefined && to !== undefined)
    return { zh: `${from} 至 ${to}`, en: `${from} to ${to}` }[language]
  if (from !== undefined) return { zh: `${from} 起`, en: `from ${from}` }[language]
  if (to !== undefined) return { zh: `至 ${to}`, en: `up to ${to}` }[language]
  return null
}

const startsADay = (time: Date | undefined): boolean =>
  time === undefined || (time.getTime() + BEIJING_OFFSET_MS) % DAY_MS === 0

/** The last moment before an exclusive bound, as far as a file tells the time. */
const before = (time: Date, byMs: number): Date => new Date(time.getTime() - byMs)

/** From one moment until before another: in days where both begin one. */
export const within =
  <Filter>(
    zh: string,
    en: string,
    value: (filter: Filter) => { from: Date | undefined; to: Date | undefined },
  ): FilterPhrase<Filter> =>
  (filter, language) => {
    const { from, to } = value(filter)
    const inDays = startsADay(from) && startsADay(to)
    const length = inDays ? 'yyyy-mm-dd'.length : 'yyyy-mm-dd hh:mm:ss'.length
    const bounds = {
      from: from && beijingTime(from).slice(0, length),
      to: to && beijingTime(before(to, inDays ? DAY_MS : 1000)).slice(0, length),
    }
    return labelled({ zh, en }, language, between(bounds, language))
  }

/** Amounts from one to another, both included. */
const amounts =
  <Filter>(
    zh: string,
    en: string,
    value: (filter: Filter) => { from: number | undefined; to: number | undefined },
  ): FilterPhrase<Filter> =>
  (filter, language) => {
    const { from, to } = value(filter)
    const bounds = {
      from: from === undefined ? from : inYuan(from),
      to: to === undefined ? to : inYuan(to),
    }
    return labelled({ zh, en }, language, between(bounds, language))
  }

/** A phrase for every condition of a filter; null for the second of a pair that is told together. */
export type FilterPhrases<Filter> = Record<keyof Filter, FilterPhrase<Filter> | null>

export const ofChannel: FilterPhrase<{ channel?: PaymentChannel | undefined }> = byName(
  '渠道',
  'Channel',
  ({ channel }, language) => channel && paymentChannelWords[language][channel],
)

/** A list is filtered by the number of a tag, whose label may change while a file is kept. */
const ofTag: FilterPhrase<{ tag?: string | undefined }> = asWritten(
  '标签编号',
  'Tag number',
  ({ tag }) => tag,
)

export const orderPhrases: FilterPhrases<OrderFilter> = {
  status: byName('状态', 'Status', ({ status }, language) => status && orderStatusWords[language][status]),
  mark: byName('标记', 'Mark', ({ mark }, language) => mark && orderMarkWords[language][mark]),
  planCode: asWritten('套餐代码', 'Plan code', ({ planCode }) => planCode),
  from: within('创建时间', 'Created', ({ from, to }) => ({ from, to })),
  to: null,
  paidFrom: within('支付时间', 'Paid', ({ paidFrom: from, paidTo: to }) => ({ from, to })),
  paidTo: null,
  channel: ofChannel,
  confirmedBy: byName(
    '确认方式',
    'Confirmed by',
    ({ confirmedBy }, language) => confirmedBy && confirmedByWords[language][confirmedBy],
  ),
  reached: byName(
    '进度',
    'Progress',
    ({ reached }, language) => reached && orderStepWords[language][reached],
  ),
  tag: ofTag,
  minAmountFen: amounts(
    '金额（元）',
    'Amount (yuan)',
    ({ minAmountFen: from, maxAmountFen: to }: OrderFilter) => ({
      from,
      to,
    }),
  ),
  maxAmountFen: null,
  search: asWritten('搜索', 'Search', ({ search }) => search),
}

export const refundPhrases: FilterPhrases<RefundFilter> = {
  status: byName('状态', 'Status', ({ status }, language) => status && refundStatusWords[language][status]),
  channel: ofChannel,
  from: within('申请时间', 'Requested', ({ from, to }) => ({ from, to })),
  to: null,
  succeededFrom: within('退款成功时间', 'Succeeded', ({ succeededFrom: from, succeededTo: to }) => ({
    from,
    to,
  })),
  succeededTo: null,
  search: asWritten('搜索', 'Search', ({ search }) => search),
}

export const subscriptionPhrases: FilterPhrases<SubscriptionFilter> = {
  state: byName('状态', 'Status', ({ state }, language) => state && subscriptionStateWords[language][state]),
  daysLeft: byName('到期', 'Expires', ({ daysLeft: days }, language) =>
    days === undefined
      ? undefined
      : { zh: `${days} 天内`, en: `within ${days} ${days === 1 ? 'day' : 'days'}` }[language],
  ),
  from: within('到期时间', 'Expires', ({ from, to }) => ({ from, to })),
  to: null,
  freshFrom: within('首次获得天数', 'New subscriptions', ({ freshFrom: from, freshTo: to }) => ({
    from,
    to,
  })),
  freshTo: null,
  search: asWritten('搜索', 'Search', ({ search }) => search),
}

export const userPhrases: FilterPhrases<UserFilter> = {
  state: byName('状态', 'Status', ({ state }, language) => state && userStateWords[language][state]),
  tag: ofTag,
  from: within('首次登录', 'First sign-in', ({ from, to }) => ({ from, to })),
  to: null,
  search: asWritten('搜索', 'Search', ({ search }) => search),
}

export const devicePhrases: FilterPhrases<DeviceFilter> = {
  state: byName('状态', 'Status', ({ state }, language) => state && deviceStateWords[language][state]),
  inventory: byName('来源', 'Origin', ({ inventory }, language) =>
    inventory === undefined ? undefined : deviceOriginWords[language][inventory ? 'inventory' : 'phone'],
  ),
  tag: ofTag,
  from: within('登记时间', 'First known', ({ from, to }) => ({ from, to })),
  to: null,
  search: asWritten('搜索', 'Search', ({ search }) => search),
}
