import type { DiagnosisDesk } from '@meridian/contracts'
import type { Store } from '../../kit/act/use-act.ts'

/** Shows the desk as the API answered it: each of its acts answers the whole desk. */
export const keepDesk = (desk: DiagnosisDesk, { cache, trpc }: Store) =>
  cache.setQueryData(trpc.diagnosis.desk.queryKey(), desk)
