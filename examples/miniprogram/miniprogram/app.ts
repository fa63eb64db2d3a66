import { meridian } from './client'

App({
  onShow() {
    // A payment may have been under way when the mini-program was closed.
    void meridian.resume().catch(() => null)
  },
})
