const tagged = (tag: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

/** The few shapes of DER (ITU-T X.690) of which a certificate consists. */
export const der = {
  sequence: (...parts: Uint8Array[]) => tagged(0x30, Buffer.concat(parts)),
  set: (...parts: Uint8Array[]) => tagged(0x31, Buffer.concat(parts)),
  /** A positive integer whose first bit is clear. */
  integer: (bytes: Uint8Array) => tagged(0x02, bytes),
  bits: (bytes: Uint8Array) => tagged(0x03, Buffer.concat([Buffer.from([0]), bytes])),
  nothing: () => tagged(0x05, Buffer.alloc(0)),
  text: (text: string) => tagged(0x0c, Buffer.from(text, 'utf8')),
  explicit: (content: Uint8Array) => tagged(0xa0, content),
  identifier: (encoded: string) => tagged(0x06, Buffer.from(encoded, 'hex')),
  time: (time: Date) => {
    const digits = time.toISOString().replace(/[-:T]/g, '').slice(2, 14)
    return tagged(0x17, Buffer.from(`${digits}Z`, 'latin1'))
  },
}
