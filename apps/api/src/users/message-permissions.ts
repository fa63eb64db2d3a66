import { column, execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { settingSql } from '../settings/read-settings.ts'

const messagePermissionColumns = { template: column.text, templateId: column.text, remaining: column.number }
export type MessagePermission = RowOf<typeof messagePermissionColumns>

/** Nobody means to be reminded more often than this: what a client counts wrongly stays small. */
const most = 1000

/** The platform's id in a stored template `t`; the older form is the id alone. */
const templateId = Prisma.sql`CASE jsonb_typeof(t.value) WHEN 'string' THEN t.value #>> '{}' ELSE t.value ->> 'id' END`

/** The templates there are, and how many messages of each a user still allows. */
export const listMessagePermissions = (pool: Pool, userId: string): Promise<MessagePermission[]> =>
  execute(
    pool,
    query(
      'list-message-permissions',
      Prisma.sql`
      SELECT t.key AS template, ${templateId} AS "templateId", coalesce(p.remaining, 0) AS remaining
      FROM jsonb_each(${settingSql('message_templates')}) t
      LEFT JOIN message_permissions p ON p.template = t.key AND p.user_id = ${userId}::uuid
      ORDER BY t.key`,
      messagePermissionColumns,
    ),
  )

/**
 * Counts one more message that a user allows.
 * @throws DomainError invalid_request for a template that is not in use
 */
export async function addMessagePermission(pool: Pool, userId: string, template: string): Promise<void> {
  const added = await execute(
    pool,
    query(
      'add-message-permission',
      Prisma.sql`
      INSERT INTO message_permissions AS p (user_id, template, remaining)
      SELECT u.id, t.key, 1 FROM users u, jsonb_each_text(${settingSql('message_templates')}) t
      WHERE u.id = ${userId}::uuid AND u.erased_at IS NULL AND t.key = ${template}
      ON CONFLICT (user_id, template) DO UPDATE SET remaining = least(p.remaining + 1, ${most}), updated_at = business_now()
      RETURNING p.template`,
    ),
  )
  if (added.length === 0)
    throw new DomainError('invalid_request', {
      errors: [{ path: 'template', message: { zh: '不是正在使用的模板', en: 'is not a template in use' } }],
    })
}
