const environment: Readonly<Record<string, string | undefined>> = { ...process.env }
const number = (name: string, usual: number) => Number(environment[name] || usual)

/** What a run may be told by its environment. */
export const config = {
  /** Parts of file names, by commas; `named` stands for the named mutants alone. Without, everything. */
  wanted: (environment['MERIDIAN_MUTANTS'] ?? '').split(',').filter(Boolean),
  /** One mutant in so many is judged; 0 leaves it to the group of each. */
  oneIn: number('MERIDIAN_MUTANTS_ONE_IN', 0),
  /** Which of the samples of that size. */
  sample: number('MERIDIAN_MUTANTS_SAMPLE', 0),
  /** Mutants judged side by side, each with a Vitest and a database of its own. */
  lanes: number('MERIDIAN_MUTANTS_LANES', 2),
  /** Whether the model is left out, which takes longest: what lives then may still be killed by it. */
  quick: environment['MERIDIAN_MUTANTS_QUICK'] === '1',
  /** No mutant is begun after so many minutes; the next run goes on there. */
  minutes: number('MERIDIAN_MUTANTS_MINUTES', 90),
}
