import { readFileSync } from 'node:fs'
import { z } from 'zod'

const text = z.string().optional()
const Vector = z.object({
  id: z.string(),
  kind: z.string(),
  key: text,
  serial: text,
  mchid: text,
  serial_no: text,
  input: z.union([z.record(z.string(), z.unknown()), z.array(z.string())]).optional(),
  message: text,
  signature_base64: text,
  api_v3_key: text,
  nonce: text,
  associated_data: text,
  ciphertext_base64: text,
  plaintext: text,
  expected_error: z.boolean().optional(),
  expected: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: text,
  now_unix: z.number().optional(),
  response_body: text,
  expected_signed_url: text,
  sha1_hex: text,
  sha256_hex: text,
  max_plaintext_bytes: z.number().optional(),
})

export type Vector = z.infer<typeof Vector>

const VectorFile = z.object({
  keys: z.record(z.string(), z.unknown()).default({}),
  vectors: z.array(Vector),
})

export function readVectors(name: string) {
  const file = new URL(`../vectors/${name}.json`, import.meta.url)
  const { keys, vectors } = VectorFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  const key = (id: string | undefined): string => z.string().parse(keys[id ?? ''])
  return { vectors, key }
}

/** A field that a vector of this kind must have. */
export function given(value: string | undefined): string {
  if (value === undefined) throw new Error('the vector lacks a field')
  return value
}
