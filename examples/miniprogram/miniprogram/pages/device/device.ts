import { isProblem } from '@meridian/miniprogram-client'
import { meridian, tellProblem } from '../../client'
import { askWearable } from '../../wearable'

type Row = { serial_number: string; model: string | null }

Page({
  data: { serial: '', rows: [] satisfies Row[] as Row[] },

  onShow() {
    void this.load()
  },

  async load() {
    try {
      this.setData({ rows: (await meridian.devices.list()).items })
    } catch (error) {
      tellProblem(error)
    }
  },

  type({ detail }: WechatMiniprogram.Input) {
    this.setData({ serial: detail.value })
  },

  async bind() {
    const serial_number = this.data.serial.trim()
    try {
      await this.bindWithOrWithoutProof(serial_number)
      this.setData({ serial: '' })
    } catch (error) {
      tellProblem(error)
    }
    await this.load()
  },

  /** A device that knows a secret is bound by its answer only: the server asks, the device signs. */
  async bindWithOrWithoutProof(serial_number: string) {
    try {
      await meridian.devices.bind({ serial_number })
    } catch (error) {
      if (!isProblem(error, 'proof_required')) throw error
      const { nonce } = await meridian.devices.challenge(serial_number)
      await meridian.devices.bind({ serial_number, proof: await askWearable(wx, serial_number, nonce) })
    }
  },

  async unbind({ currentTarget }: WechatMiniprogram.BaseEvent) {
    try {
      await meridian.devices.unbind(String(currentTarget.dataset['serial']))
    } catch (error) {
      tellProblem(error)
    }
    await this.load()
  },
})
