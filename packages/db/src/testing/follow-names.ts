import type { Socket } from 'node:net'
import { message } from './wire-messages.ts'

/** What a client prepared by name, as PgBouncer 1.21 and newer remember it: its Parse message under a name of its own. */
export type KnownNames = Map<string, Buffer>

/** Which of those each connection to the server has prepared. */
const preparedOn = new WeakMap<Socket, Set<string>>()

type Renamed = { bytes: Buffer; parsed: Map<string, Buffer>; bound: Set<string> }

const textEnd = (content: Buffer, from: number) => content.indexOf(0, from)

/** Puts the client's number before each name of a prepared statement, so that no two clients' names are the same. */
function rename(bytes: Buffer, clientId: number): Renamed {
  const parts: Buffer[] = []
  const parsed = new Map<string, Buffer>()
  const bound = new Set<string>()
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    const letter = String.fromCharCode(bytes.readUInt8(at))
    const content = bytes.subarray(at + 5, end)
    // Parse begins with the name of the statement, Bind with that of the portal.
    const from = letter === 'B' ? textEnd(content, 0) + 1 : 0
    const name = content.subarray(from, textEnd(content, from)).toString()
    if ('PB'.includes(letter) && name) {
      const own = `client_${clientId}_${name}`
      const rest = content.subarray(textEnd(content, from))
      const renamed = message(letter, Buffer.concat([content.subarray(0, from), Buffer.from(own), rest]))
      if (letter === 'P') parsed.set(own, renamed)
      else bound.add(own)
      parts.push(renamed)
    } else parts.push(bytes.subarray(at, end))
    at = end
  }
  return { bytes: Buffer.concat(parts), parsed, bound }
}

export type FollowedNames = {
  /** What the server has to prepare before, with a Sync at its end; null where it knows every name. */
  before: Buffer | null
  bytes: Buffer
}

/** What goes to this server in place of a client's messages, so that it knows the names that are used. */
export function followNames(
  bytes: Buffer,
  server: Socket,
  client: { id: number; names: KnownNames },
): FollowedNames {
  const prepared = preparedOn.get(server) ?? new Set()
  preparedOn.set(server, prepared)
  const renamed = rename(bytes, client.id)
  const missing = [...renamed.bound].filter((name) => !prepared.has(name) && !renamed.parsed.has(name))
  const parses = missing.flatMap((name) => client.names.get(name) ?? [])
  for (const [name, parse] of renamed.parsed) client.names.set(name, parse)
  for (const name of [...missing, ...renamed.parsed.keys()]) prepared.add(name)
  return {
    before: parses.length > 0 ? Buffer.concat([...parses, message('S', Buffer.alloc(0))]) : null,
    bytes: renamed.bytes,
  }
}
