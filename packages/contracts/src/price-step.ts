/** What a plan costs for how many days. */
export type Price = { priceFen: number; durationDays: number }

const perDay = ({ priceFen, durationDays }: Price) => priceFen / durationDays

/**
 * Whether a day costs less than half of the cheapest reference or more than one and a half of the dearest, in whole
 * numbers; without a reference every price is far, and a far price takes a second person. The reference is what the plan
 * cost 24 hours ago, so that several small steps count together; for a plan that had no price then, what the plans on
 * sale cost then.
 */
export function isFarPrice({ priceFen, durationDays }: Price, references: readonly Price[]): boolean {
  const sorted = references.toSorted((one, other) => perDay(one) - perDay(other))
  const [cheapest, dearest] = [sorted.at(0), sorted.at(-1)]
  if (!cheapest || !dearest) return true
  return (
    2 * priceFen * cheapest.durationDays < cheapest.priceFen * durationDays ||
    2 * priceFen * dearest.durationDays > 3 * dearest.priceFen * durationDays
  )
}

/** A day may become dearer or cheaper by a tenth without the new price being typed once more. */
const STEP = 10

/** Whether a new price lies so far from the one that holds that it may be a slip: ¥29.00 that becomes ¥0.29. */
export function isBeyondStep(before: Price, after: Price): boolean {
  const [was, becomes] = [before.priceFen * after.durationDays, after.priceFen * before.durationDays]
  return STEP * Math.abs(becomes - was) > was
}
