/** What a merchant must have to take part (protocol §1.2, §2). PEM values are texts: the caller reads the files. */
export type PaymentSettings = {
  appId: string
  mchId: string
  /** Serial number of the merchant API certificate, hexadecimal. */
  merchantSerialNo: string
  merchantPrivateKey: string
  /** One or two, newest first, each exactly 32 bytes. */
  apiV3Keys: readonly string[]
  /** Platform certificate serial or `PUB_KEY_ID_…`, with the certificate or public key. */
  platformKeys: readonly { id: string; pem: string }[]
  /** Whether platform certificates are downloaded. */
  downloadKeys: boolean
  /** https, without query; http for loopback only. */
  notifyUrl: string
  /** https; http for loopback only. The backup host is used only with the official one. */
  baseUrl: string
}

export type SettingProblem = { setting: keyof PaymentSettings; message: string }

/** Settings with which payments cannot start. Names the settings, never a value. */
export class PaymentSettingsError extends Error {
  readonly problems: readonly SettingProblem[]

  constructor(problems: readonly SettingProblem[]) {
    super(problems.map(({ setting, message }) => `${setting}: ${message}`).join('\n'))
    this.name = 'PaymentSettingsError'
    this.problems = problems
  }
}
