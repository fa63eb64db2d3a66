'use client'

import { create } from 'qrcode'
import { useMemo } from 'react'

/** Light modules around the code: four on every side (ISO/IEC 18004:2015, 9.1). */
const QUIET_ZONE = 4

/** The dark modules as one path: a unit square each. */
function pathOf(text: string): { path: string; width: number } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const squares = [...modules.data].map((dark, place) =>
    dark ? `M${place % modules.size} ${Math.floor(place / modules.size)}h1v1h-1z` : '',
  )
  return { path: squares.join(''), width: modules.size }
}

/** Black on white in every theme: cameras expect it. Decoration only; who draws it says in words what it is. */
export function QrCode({ value, size }: { value: string; size: number }) {
  const { path, width } = useMemo(() => pathOf(value), [value])
  const whole = width + 2 * QUIET_ZONE
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width={size}
      height={size}
      viewBox={`-${QUIET_ZONE} -${QUIET_ZONE} ${whole} ${whole}`}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M-${QUIET_ZONE}-${QUIET_ZONE}h${whole}v${whole}h-${whole}z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}
