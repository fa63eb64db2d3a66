import {
  ConfirmedBy,
  type OrderFilter,
  type OrderListQuery,
  OrderMark,
  OrderSort,
  OrderStatus,
  OrderStep,
} from '@meridian/contracts'
import { createParser, type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { dayAfter, startOfDay } from '../../format.ts'
import { parseAsRowsPerPage } from '../../ui/data-table/rows-per-page.ts'
import { parseAsDay } from '../lists/parse-as-day.ts'
import type { ListState } from '../lists/use-list-state.ts'

const parseAsFen = createParser({
  parse: (text) => (/^\d{1,12}$/.test(text) ? Number(text) : null),
  serialize: (fen: number) => String(fen),
})

/** The state of the order list, as it stands in the address: days are of Asia/Shanghai, both inclusive. */
export const orderListParsers = {
  status: parseAsStringLiteral(OrderStatus.options),
  mark: parseAsStringLiteral(OrderMark.options),
  plan: parseAsString,
  from: parseAsDay,
  to: parseAsDay,
  paid_from: parseAsDay,
  paid_to: parseAsDay,
  confirmed_by: parseAsStringLiteral(ConfirmedBy.options),
  reached: parseAsStringLiteral(OrderStep.options),
  min_fen: parseAsFen,
  max_fen: parseAsFen,
  q: parseAsString,
  sort: parseAsStringLiteral(OrderSort.options).withDefault('newest'),
  limit: parseAsRowsPerPage,
  cursor: parseAsString,
}

export type OrderListParams = inferParserType<typeof orderListParsers>
export type OrderListState = ListState<OrderListParams>

/** What the address asks the API for. */
export function orderFilterOf(params: OrderListParams): OrderFilter {
  const search = params.q?.trim().slice(0, 64)
  return {
    ...(params.status && { status: params.status }),
    ...(params.mark && { mark: params.mark }),
    ...(params.plan && { planCode: params.plan }),
    ...(params.from && { from: startOfDay(params.from) }),
    ...(params.to && { to: startOfDay(dayAfter(params.to)) }),
    ...(params.paid_from && { paidFrom: startOfDay(params.paid_from) }),
    ...(params.paid_to && { paidTo: startOfDay(dayAfter(params.paid_to)) }),
    ...(params.confirmed_by && { confirmedBy: params.confirmed_by }),
    ...(params.reached && { reached: params.reached }),
    ...(params.min_fen !== null && { minAmountFen: params.min_fen }),
    ...(params.max_fen !== null && { maxAmountFen: params.max_fen }),
    ...(search && { search }),
  }
}

export const orderListQueryOf = (params: OrderListParams): OrderListQuery => ({
  ...orderFilterOf(params),
  sort: params.sort,
  limit: params.limit,
  ...(params.cursor && { cursor: params.cursor }),
})

/** The parameters that narrow the list; changing one starts again at the first page. */
export const noFilters = {
  status: null,
  mark: null,
  plan: null,
  from: null,
  to: null,
  paid_from: null,
  paid_to: null,
  confirmed_by: null,
  reached: null,
  min_fen: null,
  max_fen: null,
  q: null,
} as const satisfies Partial<OrderListParams>

export const countFilters = (params: OrderListParams): number =>
  [params.plan, params.from ?? params.to, params.min_fen ?? params.max_fen].filter((value) => value !== null)
    .length
