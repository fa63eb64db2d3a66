/** One look at files of deploy/ by the program that will read them. */
export type DeployCheck = {
  /** What is checked, as a line of the report. */
  name: string
  /** The program it needs; where it is missing the check counts as not done, never as passed. */
  program: string
  /** Ends well or throws with what the program said. */
  run: () => Promise<void>
}
