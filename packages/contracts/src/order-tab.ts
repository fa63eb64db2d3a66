import { orderMarks, orderStatuses, type orderTabs } from './choices.ts'

type Asked = { status?: (typeof orderStatuses)[number]; mark?: (typeof orderMarks)[number] }

/** What a tab asks the list for; without zod, as `choices.ts` is. */
export function orderTabFilter(tab: (typeof orderTabs)[number]): Asked {
  const mark = orderMarks.find((one) => one === tab)
  const status = orderStatuses.find((one) => one === tab)
  return { ...(status && { status }), ...(mark && { mark }) }
}
