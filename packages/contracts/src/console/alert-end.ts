import { healingFacts } from '../choices.ts'

/** By which fact an alert was over without anybody saying so. */
export type HealedBy = (typeof healingFacts)[number]

/** What the resolution of such an alert begins with; the word follows. */
export const healedPrefix = 'healed: '

/** How the end of such an alert is kept. */
export const healedResolution = (by: HealedBy): string => `${healedPrefix}${by}`

/** Which fact ended an alert; null where a person resolved it, or where it is open. */
export function healedByOf(resolution: string | null): HealedBy | null {
  if (!resolution?.startsWith(healedPrefix)) return null
  return healingFacts.find((fact) => fact === resolution.slice(healedPrefix.length)) ?? null
}
