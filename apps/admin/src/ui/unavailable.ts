/** How a button looks that may not be pressed: greyed out, yet as legible as one that may. */
export const unavailable = {
  cursor: 'not-allowed',
  borderStyle: 'dashed',
  borderColor: 'var(--line-strong)',
  background: 'var(--raised)',
  boxShadow: 'none',
  color: 'var(--ink-faint)',
} as const
