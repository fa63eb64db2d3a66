import { column, execute, nullable, Prisma, query } from '@meridian/db'
import { sendWith } from '../../alerts/delivery/send-message.ts'
import { noteTest } from '../../alerts/delivery/send-to-channel.ts'
import { type Check, type Examined, fault, type Seen, warning, well } from '../finding.ts'

const channelColumns = {
  id: column.text,
  lastSuccessAt: nullable(column.instant),
  failing: column.boolean,
  error: nullable(column.text),
}

const listSql = Prisma.sql`
  SELECT id, last_success_at AS "lastSuccessAt", failures > 0 AS failing, last_error AS error FROM alert_channels
  WHERE configured`

/** How each channel stood when a message was last sent through it. */
async function judgeChannels({ services: { database }, config }: Examined): Promise<Seen[]> {
  const known = await execute(database.pool, query(null, listSql, channelColumns))
  return config.alerts.channels.map(({ id, kind, host }) => {
    const channel = known.find((one) => one.id === id)
    if (channel?.failing)
      return fault(
        `${kind} ${host} fails: ${channel.error ?? 'without a reason'}`,
        'correct it in ALERT_CHANNELS, then npm run doctor -- --test-alarms',
      )
    return channel?.lastSuccessAt
      ? well(`${kind} ${host} took a message on ${channel.lastSuccessAt.toISOString().slice(0, 10)}`)
      : fault(`${kind} ${host} never took a message`, 'npm run doctor -- --test-alarms')
  })
}

/** Sends a test through each channel, all at once, and keeps what became of it with the channel. */
async function testChannels({ services, config }: Examined): Promise<Seen[]> {
  const send = sendWith({ config, log: services.log })
  return Promise.all(
    config.alerts.channels.map(async (channel) => {
      const { id, kind, host } = channel
      const refusal = await send(channel, { kind: 'test', consoleUrl: config.CONSOLE_URL })
      await noteTest(services.database.pool, { channelId: id, refusal })
      return refusal === null
        ? well(`${kind} ${host} took a test just now: has somebody read it?`)
        : fault(`${kind} ${host} did not take a test: ${refusal}`, 'correct it in ALERT_CHANNELS')
    }),
  )
}

const alarms: Check = {
  about: 'alarms',
  needsDatabase: true,
  look: async (examined) => {
    const { channels, heartbeatUrl } = examined.config.alerts
    const deadMan = heartbeatUrl
      ? well('a dead man’s switch is called every minute')
      : warning('nobody notices when everything is down', 'set ALERT_HEARTBEAT_URL')
    if (channels.length === 0)
      return [fault('alerts stay in the console: nobody is told of an outage', 'set ALERT_CHANNELS'), deadMan]
    const seen = examined.testAlarms ? await testChannels(examined) : await judgeChannels(examined)
    return [...seen, deadMan]
  },
}

export const alarmChecks: readonly Check[] = [alarms]
