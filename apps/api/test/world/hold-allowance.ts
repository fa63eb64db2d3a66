import type { Allowance } from '../../src/platform/limits/bounded-work.ts'

/**
 * Fills an allowance with so many works that end when they are let go: whether there is room left does not hang on the
 * pace of the machine.
 */
export function holdAllowance(allowance: Allowance, works: number): { letGo: () => Promise<void> } {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const holding = Array.from({ length: works }, () => allowance.run(() => ended))
  return {
    letGo: async () => {
      end()
      await Promise.all(holding)
    },
  }
}
