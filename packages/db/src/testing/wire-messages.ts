/** PostgreSQL's messages after the start-up: a letter, the length with itself, the content. */
export function message(letter: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(letter, 0, 'latin1')
  head.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}

/** Authentication is done, a key to cancel with, ready for a query and in no transaction. */
export const welcome = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('K', Buffer.alloc(8, 1)),
  message('Z', Buffer.from('I')),
])

/** How what the server has said so far ends: ready within a transaction (`T`, `E`) or outside (`I`); null while it speaks. */
export function readyState(said: Buffer): string | null {
  let at = 0
  let state: string | null = null
  while (at + 5 <= said.length) {
    const end = at + 1 + said.readInt32BE(at + 1)
    state = said[at] === 0x5a && end === said.length ? String.fromCharCode(said.readUInt8(at + 5)) : null
    at = end
  }
  return state
}

/** What the answer to `rollback` holds, and no other answer. */
export const rolledBack = 'pooler-double: rolled back'

/** Ends whatever transaction is open. */
export const rollback = message('Q', Buffer.from(`ROLLBACK; SELECT '${rolledBack}'\0`))
