/** One look at files of deploy/ by the programs that will read them. */
export type DeployCheck = {
  /** What is checked, as a line of the report. */
  name: string
  /** The programs it needs; where one is missing the check counts as not done, never as passed. */
  programs: readonly string[]
  /** Ends well or throws with what the program said. */
  run: () => Promise<void>
}
