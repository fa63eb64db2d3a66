import { z } from 'zod'

/** A key of the platform: verifies its notifications and answers. Public material only. */
export const CockpitKey = z.object({
  id: z.string(),
  kind: z.enum(['certificate', 'public_key']),
  source: z.enum(['settings', 'download']),
  /** SHA-256 of the key as it is, hexadecimal in pairs. */
  fingerprint: z.string(),
  effectiveAt: z.date().nullable(),
  expiresAt: z.date().nullable(),
  daysLeft: z.int().nullable(),
  /** When a notification signed with it last arrived, among the newest ten thousand. */
  lastUsedAt: z.date().nullable(),
  uses: z.int(),
})
export type CockpitKey = z.infer<typeof CockpitKey>

/** Our own keys by what may be shown of them: their names and how many there are. */
export const KeyCockpit = z.object({
  platformKeys: z.array(CockpitKey),
  downloadKeys: z.boolean(),
  refreshedAt: z.date().nullable(),
  /** Platform's clock minus ours, as this process last saw it. */
  clockSkewMs: z.number().nullable(),
  /** JSAPI; null where its seven settings are absent. */
  merchant: z
    .object({
      mchId: z.string(),
      appId: z.string(),
      merchantSerialNo: z.string(),
      /** The last day of the merchant certificate as somebody entered it for this serial, YYYY-MM-DD. */
      certificateEndsOn: z.string().nullable(),
      apiV3Keys: z.int(),
      platformHost: z.string(),
      notifyUrl: z.string(),
    })
    .nullable(),
  /** Virtual payment: that its secrets are set, and never what they are; null where the channel is not configured. */
  virtual: z
    .object({
      appId: z.string(),
      offerId: z.string(),
      env: z.union([z.literal(0), z.literal(1)]),
      platformHost: z.string(),
      /** Path at which the platform pushes. */
      pushPath: z.string(),
      lastPushAt: z.date().nullable(),
    })
    .nullable(),
  loginConfigured: z.boolean(),
})
export type KeyCockpit = z.infer<typeof KeyCockpit>

/** Until when our own certificate is valid: the program holds its private key alone and cannot know. */
export const MerchantCertificateDate = z.object({
  /** As it is configured: a date is never entered for another certificate than the one in use. */
  merchantSerialNo: z.string().min(1).max(64),
  endsOn: z.iso.date(),
})
export type MerchantCertificateDate = z.infer<typeof MerchantCertificateDate>
