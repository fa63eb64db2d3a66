import type { Pool } from 'pg'
import { grantRights } from './grant-rights.ts'

/**
 * The role whose members read the views of the schema `reporting`, and nothing else: a view reads its tables with the
 * rights of its owner. The role cannot log in; whoever evaluates the figures is made a member of it.
 */
export const reportingRole = 'meridian_reporting'

/**
 * Lets the reporting role read every view there is; to be called by the owner after each migration. Answers false where
 * the role does not exist and this user may not create it: then nothing is granted.
 * @throws Error when others held the locks that it needs for a minute
 */
export const grantReportingRights = (pool: Pool): Promise<boolean> =>
  grantRights(pool, reportingRole, [
    `GRANT USAGE ON SCHEMA reporting TO ${reportingRole}`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA reporting TO ${reportingRole}`,
  ])
