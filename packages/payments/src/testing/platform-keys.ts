export type CertifiedKey = { serial: string; privateKey: string; certificate: string }

/** All key material of a platform and its one merchant, as plain texts that can be written to files and loaded again. */
export type PlatformKeys = {
  appId: string
  appSecret: string
  mchId: string
  apiV3Key: string
  merchant: CertifiedKey
  publicKey: { id: string; privateKey: string; publicKey: string }
  /** Newest first. */
  certificates: CertifiedKey[]
}
