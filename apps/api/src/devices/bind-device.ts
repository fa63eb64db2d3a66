import { execute, type PoolClient, Prisma, query } from '@meridian/db'
import type { Secrets } from '../platform/crypto/seal.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { thisInstantSql } from '../platform/time/business-time.ts'
import type { Services } from '../services.ts'
import { grantTrial } from '../subscriptions/grant-trial.ts'
import { type BindingDecision, type BindingRefusal, decideBinding } from './decide-binding.ts'
import { endBindingsSql, type OwnDevice, ownDeviceColumns, ownDeviceColumnsSql } from './own-bindings.ts'
import { isProven } from './prove-possession.ts'
import {
  type BindingState,
  type BindRequest,
  lockClaim,
  readBindingState,
  toFacts,
} from './read-binding-state.ts'

const { sql } = Prisma

/** Decides, and reads the proof where the decision hangs on it. */
async function decide(
  client: PoolClient,
  request: BindRequest,
  { standing, dataKeys }: { standing: BindingState; dataKeys: Secrets },
): Promise<BindingDecision> {
  const facts = toFacts(standing, request)
  const decision = decideBinding(facts)
  const { proof, serialNumber, claimer } = request
  if (decision.act !== 'read_proof' || !standing.sealedSecret || proof === null) return decision
  const claim = { userId: claimer.userId, serialNumber }
  const right = await isProven(client, claim, { proof, sealedSecret: standing.sealedSecret, dataKeys })
  return decideBinding({ ...facts, proof: right ? 'right' : 'wrong' })
}

/** What the inventory says about the model stands; addresses and firmware are as they were seen last. */
const noteAttributes = (client: PoolClient, { serialNumber, attributes }: BindRequest) =>
  execute(
    client,
    query(
      'note-device-attributes',
      sql`UPDATE devices SET
        model = CASE WHEN inventory THEN coalesce(model, ${attributes.model}) ELSE coalesce(${attributes.model}, model) END,
        mac_address = coalesce(${attributes.macAddress}, mac_address),
        firmware_version = coalesce(${attributes.firmwareVersion}, firmware_version)
      WHERE serial_number = ${serialNumber}`,
    ),
  )

async function writeBinding(
  client: PoolClient,
  { claimer, serialNumber, attributes }: BindRequest,
  decision: Extract<BindingDecision, { act: 'bind' | 'keep' }>,
): Promise<OwnDevice[]> {
  const { userId } = claimer
  if (decision.act === 'keep')
    return execute(
      client,
      query(
        'keep-binding',
        sql`UPDATE bindings b SET proven = b.proven OR ${decision.proven}, nickname = coalesce(${attributes.nickname}, b.nickname)
        FROM devices d WHERE d.serial_number = b.serial_number AND b.serial_number = ${serialNumber}
          AND b.user_id = ${userId}::uuid AND b.unbound_at IS NULL
        RETURNING ${ownDeviceColumnsSql}`,
        ownDeviceColumns,
      ),
    )
  if (decision.supersede)
    await execute(
      client,
      query('supersede-binding', endBindingsSql(sql`b.serial_number = ${serialNumber}`, 'superseded')),
    )
  return execute(
    client,
    query(
      'bind-device',
      sql`WITH b AS (
        INSERT INTO bindings (serial_number, user_id, nickname, proven, bound_at)
        VALUES (${serialNumber}, ${userId}::uuid, ${attributes.nickname}, ${decision.proven}, ${thisInstantSql})
        RETURNING *)
      SELECT ${ownDeviceColumnsSql} FROM b JOIN devices d USING (serial_number)`,
      ownDeviceColumns,
    ),
  )
}

type Outcome = { refused: BindingRefusal } | { device: OwnDevice; first: boolean }

type Keys = { dataKeys: Secrets; openidMac: string }

async function bindUnderLock(
  client: PoolClient,
  request: BindRequest,
  { dataKeys, openidMac }: Keys,
): Promise<Outcome> {
  await lockClaim(client, request)
  const standing = await readBindingState(client, request)
  const decision = await decide(client, request, { standing, dataKeys })
  // A wrong proof is a refusal that must last: its challenge is spent, so the transaction commits.
  if (decision.act === 'refuse' && decision.code === 'proof_invalid') return { refused: decision.code }
  if (decision.act === 'refuse') throw new DomainError(decision.code)
  if (decision.act === 'read_proof') throw new Error('a device without a secret cannot be proven')
  await noteAttributes(client, request)
  const [device] = await writeBinding(client, request, decision)
  if (!device) throw new Error('a binding under lock went away')
  if (decision.proven && standing.inventory) {
    const { claimer, serialNumber } = request
    await grantTrial(client, { userId: claimer.userId, serialNumber, days: standing.trialDays, openidMac })
  }
  return { device, first: decision.act === 'bind' }
}

/**
 * Binds a device to a person, once however often it is asked; `first` says whether this call did it.
 * @throws DomainError device_not_registered, device_already_bound, device_limit_reached, proof_required, proof_invalid
 */
export async function bindDevice(
  { database, dataKeys, config }: Services,
  request: BindRequest,
): Promise<{ device: OwnDevice; first: boolean }> {
  const openidMac = await dataKeys.markOf(request.claimer.openid)
  const outcome = await inTransaction(database.pool, (client) =>
    bindUnderLock(client, request, { dataKeys: config.DATA_KEY, openidMac }),
  )
  if ('refused' in outcome) throw new DomainError(outcome.refused)
  return outcome
}
