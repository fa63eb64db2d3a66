export type WeatherPlace =
  | 'prepay'
  | 'query'
  | 'close'
  | 'refund'
  | 'refund_query'
  | 'bill'
  | 'bill_download'
  | 'certificates'
  | 'mini_program'
  | 'notification'

/** What may happen to an answer, a notification, or both. */
export type WeatherKind =
  | 'delay'
  | 'drop'
  | 'duplicate'
  | 'reorder'
  | 'corrupt_byte'
  | 'probe'
  | 'wrong_amount'
  | 'wrong_app_id'
  | 'wrong_mch_id'
  | 'wrong_currency'
  | 'wrong_payer'
  | 'wrong_key'
  | 'unknown_serial'
  | 'clock_skew'
  | 'unsigned'
  | 'error_before'
  | 'error_after'
  | 'rate_limited'
  | 'html'
  | 'refund_abnormal'
  | 'refund_closed'

export type WeatherRule = {
  kind: WeatherKind
  /** Everywhere when absent. */
  at?: WeatherPlace
  /** Every order when absent. */
  outTradeNo?: string
  /** Until cleared when absent. */
  times?: number
  /** For `delay`. */
  ms?: number
  /** For `clock_skew`. */
  seconds?: number
  /** For `error_before` and `error_after`: 500 when absent. */
  status?: number
}

export type Weather = {
  readonly rules: readonly WeatherRule[]
  add(...rules: WeatherRule[]): void
  set(rules: readonly WeatherRule[]): void
  clear(): void
}
