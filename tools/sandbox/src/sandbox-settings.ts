/** What a sandbox may be told; every setting but the folder has a value of its own where it is left out. */
export type SandboxSettings = {
  /** 0, as where it is left out, is any free port. */
  port?: number
  /** The address it listens on: 127.0.0.1. */
  host?: string
  /** Where keys, orders and the settings for an API are kept from one start to the next; made where it is missing. */
  folder: string
  /** The Meridian API that the phone page uses: http://127.0.0.1:4000. */
  apiUrl?: string
  /** Where payment notifications go: `/api/v1/payment/notify` of the API. */
  notifyUrl?: string
  /** Where pushes of the mini-program go: `/api/v1/wechat/push` beside the notifications. */
  pushUrl?: string
  /** The console that the phone page links its orders to: http://127.0.0.1:3000. */
  consoleUrl?: string
}

/** A sandbox that listens. */
export type RunningSandbox = {
  /** Where it is found, without a slash at the end. */
  url: string
  /** The file with the settings of an API that uses it: `NAME="value"` in each line, keys in files beside it. */
  settingsFile: string
  /** Ends it at once; what its folder keeps is there at the next start. */
  stop: () => void
}
