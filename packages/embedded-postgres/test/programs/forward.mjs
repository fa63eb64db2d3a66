// Stands for PgBouncer: reads its settings and leads every connection to the server.
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'

const settings = readFileSync(process.argv.at(-1) ?? '', 'utf8')
const numberOf = (name) => Number(new RegExp(`\\b${name}\\s*=\\s*(\\d+)`).exec(settings)?.[1])

if (settings.includes('host=127.0.0.1 port=1\n')) {
  console.log('FATAL no such server')
  process.exit(1)
}
// Some versions wait for their clients on one of these, some ignore one that a shell has switched off.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT']) process.on(signal, () => undefined)
createServer((near) => {
  const far = connect(numberOf('port'), '127.0.0.1')
  near.pipe(far).pipe(near)
  for (const socket of [near, far]) socket.on('error', () => socket.destroy())
}).listen(numberOf('listen_port'), '127.0.0.1')
