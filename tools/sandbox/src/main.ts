import { inheritedSockets, listenOn } from '@meridian/process/inherited-sockets'
import { readConfig } from './config.ts'
import { databaseClock } from './database-clock.ts'
import { listen } from './listen.ts'
import { refuse, runUntilSignal } from './run-until-signal.ts'

async function main(): Promise<void> {
  const config = readConfig(process.env, new URL(import.meta.url))
  const on = listenOn(inheritedSockets(process.env).http, config)
  const apiClock = config.databaseUrl === null ? null : databaseClock(config.databaseUrl)
  await runUntilSignal(listen(config, { apiClock, on }))
}

await main().catch(refuse)
