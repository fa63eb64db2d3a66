/** How a problem is told: its status over HTTP, its code over tRPC, and its title. */
export type ProblemKind = {
  readonly http: number
  readonly trpc: string
  readonly zh: string
  readonly en: string
}
