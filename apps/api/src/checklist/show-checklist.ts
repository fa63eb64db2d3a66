import type { Checklist, ChecklistStep, ChecklistStepName } from '@meridian/contracts'
import { column, type Pool, Prisma } from '@meridian/db'
import { sandboxAddress } from '../config/sandbox-address.ts'
import { readLimited } from '../platform/sql/transaction.ts'
import type { Services } from '../services.ts'
import { factColumns, factsSql } from './checklist-facts.ts'

const { sql } = Prisma

const inSandbox = ['user', 'sale', 'healed', 'refund', 'second_person', 'plans', 'alarms', 'backup'] as const
/** Before the first customer what is in the way of going live; a notification is lost there by nobody's hand. */
const inEarnest = [
  'credentials',
  'plans',
  'second_person',
  'alarms',
  'backup',
  'user',
  'sale',
  'refund',
] as const

const columns = {
  ...factColumns,
  hiddenForAll: column.boolean,
  hiddenForMe: column.boolean,
  readAt: column.instant,
}

/** Whether users can log in and pay: the settings are there, and keys that verify what the platform says. */
function hasCredentials({ payments, miniProgram, virtual }: Services): boolean {
  const canPay = virtual !== null || (payments !== null && payments.keyReport().keys.length > 0)
  return miniProgram !== null && canPay
}

type Asking = { operatorId: string; isVirtual: boolean }

/** The facts, and for whom the list is hidden: one statement. */
export async function readFacts(pool: Pool, { operatorId, isVirtual }: Asking) {
  const [facts] = await readLimited(
    pool,
    sql`
      SELECT facts.*, EXISTS (SELECT FROM checklist_dismissals WHERE everybody) AS "hiddenForAll",
        EXISTS (SELECT FROM checklist_dismissals WHERE operator_id = ${operatorId}::uuid) AS "hiddenForMe",
        business_now() AS "readAt"
      FROM (${factsSql(isVirtual)}) facts`,
    columns,
  )
  if (!facts) throw new Error('facts without a row')
  return facts
}

/** What a new installation has been through, read from what is stored and configured: nobody ticks anything. */
export async function showChecklist(services: Services, operatorId: string): Promise<Checklist> {
  const { database, config, virtual } = services
  const facts = await readFacts(database.pool, { operatorId, isVirtual: virtual !== null })
  const stepOf = (name: ChecklistStepName): ChecklistStep => {
    if (name === 'credentials') return { name, isDone: hasCredentials(services), doneAt: null }
    return { name, isDone: facts[name] !== null, doneAt: facts[name] }
  }
  return {
    platform: config.platform,
    phoneUrl: sandboxAddress(config),
    steps: (config.platform === 'sandbox' ? inSandbox : inEarnest).map(stepOf),
    hiddenFor: facts.hiddenForAll ? 'everybody' : facts.hiddenForMe ? 'me' : 'nobody',
    readAt: facts.readAt,
  }
}
