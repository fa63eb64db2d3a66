import type { Price } from '@meridian/contracts'

/** Whether a day costs less than the setting price_floor_fen_per_day. */
export const isBelowFloor = ({ priceFen, durationDays }: Price, floorFenPerDay: number): boolean =>
  priceFen < floorFenPerDay * durationDays
