import {
  confirmedByWords,
  type DeviceFilter,
  deviceOriginWords,
  deviceStateWords,
  type OrderFilter,
  orderMarkWords,
  orderStatusWords,
  orderStepWords,
  type RefundFilter,
  refundStatusWords,
  type SubscriptionFilter,
  subscriptionStateWords,
  type UserFilter,
  userStateWords,
} from '@meridian/contracts'
import { amounts, asWritten, byName, type FilterPhrase, within } from './filter-words.ts'

/** A phrase for every condition of a filter; null for the second of a pair that is told together. */
export type FilterPhrases<Filter> = Record<keyof Filter, FilterPhrase<Filter> | null>

export const orderPhrases: FilterPhrases<OrderFilter> = {
  status: byName('状态', 'Status', ({ status }, language) => status && orderStatusWords[language][status]),
  mark: byName('标记', 'Mark', ({ mark }, language) => mark && orderMarkWords[language][mark]),
  planCode: asWritten('套餐代码', 'Plan code', ({ planCode }) => planCode),
  from: within('创建时间', 'Created', ({ from, to }) => ({ from, to })),
  to: null,
  paidFrom: within('支付时间', 'Paid', ({ paidFrom: from, paidTo: to }) => ({ from, to })),
  paidTo: null,
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
  from: within('申请时间', 'Requested', ({ from, to }) => ({ from, to })),
  to: null,
  search: asWritten('搜索', 'Search', ({ search }) => search),
}

export const subscriptionPhrases: FilterPhrases<SubscriptionFilter> = {
  state: byName('状态', 'State', ({ state }, language) => state && subscriptionStateWords[language][state]),
  daysLeft: byName('到期', 'Ends', ({ daysLeft: days }, language) =>
    days === undefined
      ? undefined
      : { zh: `${days} 天内`, en: `within ${days} ${days === 1 ? 'day' : 'days'}` }[language],
  ),
  from: within('到期时间', 'Ends', ({ from, to }) => ({ from, to })),
  to: null,
  freshFrom: within('首次获得天数', 'First days ever', ({ freshFrom: from, freshTo: to }) => ({ from, to })),
  freshTo: null,
  search: asWritten('搜索', 'Search', ({ search }) => search),
}

export const userPhrases: FilterPhrases<UserFilter> = {
  state: byName('状态', 'State', ({ state }, language) => state && userStateWords[language][state]),
  from: within('首次登录', 'First login', ({ from, to }) => ({ from, to })),
  to: null,
  search: asWritten('搜索', 'Search', ({ search }) => search),
}

export const devicePhrases: FilterPhrases<DeviceFilter> = {
  state: byName('状态', 'State', ({ state }, language) => state && deviceStateWords[language][state]),
  inventory: byName('来源', 'Origin', ({ inventory }, language) =>
    inventory === undefined ? undefined : deviceOriginWords[language][inventory ? 'inventory' : 'phone'],
  ),
  from: within('登记时间', 'First known', ({ from, to }) => ({ from, to })),
  to: null,
  search: asWritten('搜索', 'Search', ({ search }) => search),
}
