/** Shows fen as yuan, e.g. `123450` → `¥1,234.50`; negative amounts carry a leading minus. Integer arithmetic only. */
export function formatFen(fen: number): string {
  const absolute = Math.abs(fen)
  const yuan = Math.trunc(absolute / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')
  const cents = (absolute % 100).toString().padStart(2, '0')
  return `${fen < 0 ? '−' : ''}¥${yuan}.${cents}`
}

/**
 * Reads an amount a person typed in yuan (`29`, `29.9`, `1,234.50`) as fen.
 * Answers null for anything that is not an exact number of fen.
 */
export function parseYuan(text: string): number | null {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(',', ''))
  if (!match) return null
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}
