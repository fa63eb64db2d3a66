// What the API is asked for: a test compares the types with those of the API.

export type BindRequest = {
  serial_number: string
  mac_address?: string | null | undefined
  model?: string | null | undefined
  firmware_version?: string | null | undefined
  nickname?: string | null | undefined
  /** HMAC-SHA-256(secret, nonce) as the device made it: 64 hexadecimal digits, or base64 of either alphabet. */
  proof?: string | null | undefined
}

export type ReportRequest = {
  client_report_id: string
  kind: 'scan' | 'treatment'
  serial_number?: string | null | undefined
  program_code?: string | null | undefined
  started_at: string
  ended_at: string
  score?: number | null | undefined
  summary: Record<string, unknown>
  measurements: unknown[]
}
