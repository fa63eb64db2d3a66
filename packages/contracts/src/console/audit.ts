import { z } from 'zod'
import { pageFields, period, SerialId } from '../paging.ts'
import { OperatorRole } from './operator.ts'

/** Which acts to read about; who may not read about everybody reads about their own. */
export const AuditFilter = z.object({
  /** The operator's e-mail address, whole. */
  operator: z.string().trim().min(1).max(254).optional(),
  action: z.string().trim().min(1).max(64).optional(),
  /** What it was done to, or the request that did it: an id, whole. */
  search: z.string().trim().min(1).max(128).optional(),
  ...period,
})
export type AuditFilter = z.infer<typeof AuditFilter>

export const AuditListQuery = AuditFilter.extend(pageFields)
export type AuditListQuery = z.infer<typeof AuditListQuery>

export const AuditRow = z.object({
  id: z.string(),
  at: z.date(),
  operatorId: z.uuid(),
  operatorEmail: z.string(),
  operatorRole: OperatorRole,
  action: z.string(),
  subjectType: z.string(),
  subjectId: z.string(),
  address: z.string(),
  requestId: z.string(),
})
export type AuditRow = z.infer<typeof AuditRow>

export const AuditReference = z.object({ id: SerialId })

export const AuditEntry = AuditRow.extend({ before: z.json().nullable(), after: z.json().nullable() })
export type AuditEntry = z.infer<typeof AuditEntry>
