export type Report = {
  /** Does the work, and keeps how many seconds it took. */
  timed: <T>(name: string, work: () => Promise<T>) => Promise<T>
  note: (name: string, value: number | string) => void
  /** Keeps this as a finding where it does not hold. */
  expect: (holds: boolean, otherwise: string) => void
  findings: readonly string[]
  figures: Readonly<Record<string, number | string>>
}

export function newReport(): Report {
  const figures: Record<string, number | string> = {}
  const findings: string[] = []
  return {
    timed: async (name, work) => {
      const started = performance.now()
      console.log(`… ${name}`)
      const answer = await work()
      figures[`seconds: ${name}`] = Math.round((performance.now() - started) / 100) / 10
      return answer
    },
    note: (name, value) => {
      figures[name] = value
    },
    expect: (holds, otherwise) => {
      if (!holds) findings.push(otherwise)
    },
    findings,
    figures,
  }
}
