// A command that needs the embedded database: tells what it got, keeps it until it is asked to stop.
import { once } from 'node:events'
import { ensureEmbedded } from '../../src/index.ts'
import { memberOf } from '../member-of.ts'

const [dataFolder = ''] = process.argv.slice(2)
// Like a real command, it survives Ctrl-C long enough to stop in order.
process.on('SIGINT', () => undefined)
const embedded = await ensureEmbedded({ memberOf, dataFolder })
console.log(JSON.stringify({ databaseUrl: embedded.databaseUrl, startedHere: embedded.startedHere }))
await once(process.stdin.resume(), 'end')
await embedded.stop()
