import type { Found } from './judge-mutants.ts'
import { differenceOf } from './source.ts'

/** Of the mutants that were judged and are no equivalents, so many must die. */
export const leastShare = 0.95

/** How a living mutant is shown: what it is, and the lines it changes. */
export function showLiving({ mutant, source }: Found): string {
  const { line, before, after } = differenceOf(source, mutant)
  return `${mutant.file}:${line} (${mutant.operator})\n  - ${before}\n  + ${after}`
}

export type Sum = { killed: number; living: Found[]; namedLiving: Found[]; share: number; passed: boolean }

/** Whether enough died, and all of the named ones. */
export function sumUp(found: readonly Found[]): Sum {
  const living = found.filter(({ judgement }) => judgement.verdict === 'living')
  const killed = found.length - living.length
  const namedLiving = living.filter(({ mutant }) => mutant.group === 'named')
  const share = found.length === 0 ? 1 : killed / found.length
  return { killed, living, namedLiving, share, passed: namedLiving.length === 0 && share >= leastShare }
}

/** Killed and living by file. */
export function tableOf(found: readonly Found[]): string[] {
  const files = [...new Set(found.map(({ mutant }) => mutant.file))].sort()
  return files.map((file) => {
    const { killed, living } = sumUp(found.filter(({ mutant }) => mutant.file === file))
    return `${String(killed).padStart(5)} killed ${String(living.length).padStart(4)} living  ${file}`
  })
}
