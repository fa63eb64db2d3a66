import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { message, welcome } from '@meridian/db/testing'
import { freePort } from './free-port.ts'

const done = Buffer.concat([message('C', Buffer.from('SELECT 1\0')), message('Z', Buffer.from('I'))])

type Manners = {
  /** What everybody is refused with who logs in, or who asks something once logged in, as a pooler does it. */
  refuses?: { at: 'login' | 'statement'; code: string; words: string }
}

/** Speaks as PostgreSQL does, as far as that goes without one: takes logins, and answers a statement when it is told to. */
export async function speakAsDatabase({ refuses }: Manners = {}) {
  const clients = new Set<Socket>()
  const logins: Socket[] = []
  const statements: Socket[] = []
  const refusal = message('E', Buffer.from(`SFATAL\0C${refuses?.code}\0M${refuses?.words}\0\0`))
  const server = createServer((client) => {
    clients.add(client.on('error', () => undefined).on('close', () => clients.delete(client)))
    client.once('data', () => {
      logins.push(client)
      if (refuses?.at === 'login') return void client.end(refusal)
      client.write(welcome)
      client.on('data', (bytes) => {
        if (refuses) client.end(refusal)
        if (bytes[0] === 'Q'.charCodeAt(0)) statements.push(client)
      })
    })
  })
  const port = await freePort()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    databaseUrl: `postgresql://u@127.0.0.1:${port}/x_test`,
    /** How many are connected now, logged in ever, and asked something that has no answer yet. */
    count: () => ({ connected: clients.size, logins: logins.length, waiting: statements.length }),
    /** Answers whoever waits for an answer. */
    answer: () => {
      for (const client of statements.splice(0)) client.write(done)
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy()
      await once(server.close(), 'close')
    },
  }
}
